import type { Row } from './believable.ts';
import type { Seeded } from './seeded.ts';

type Tables = Readonly<Record<string, readonly Row[]>>;

interface Domain {
  readonly name: string;
  readonly text: string;
  /** For each thing that nobody would believe, the rows that show it. */
  readonly wrong: (tables: Tables) => Readonly<Record<string, readonly Row[]>>;
}

const today = new Date().toISOString().slice(0, 10);
const text = (value: unknown) => String(value ?? '');
const isOneOf = (value: unknown, ...values: readonly string[]) => values.includes(text(value));

/** The row that a key leads to. */
const at = (rows: readonly Row[] = [], id: unknown): Row =>
  rows.find((row) => row['id'] === id) ?? {};

/** Rows of the parent whose children add up to as much as the parent, or more. */
function overspent(
  parents: readonly Row[] = [],
  children: readonly Row[] = [],
  { key, whole, part }: { readonly key: string; readonly whole: string; readonly part: string },
): readonly Row[] {
  return parents.filter((parent) => {
    const own = children.filter((child) => child[key] === parent['id']);
    const sum = own.reduce((total, child) => total + Number(child[part]), 0);
    return own.length > 0 && sum >= Number(parent[whole]);
  });
}

const garden: Domain = {
  name: 'gardens',
  text: `
version: 1
app: { name: gardens }
enums:
  LeaseState: [requested, active, ended, refused]
  InvoiceState: [open, paid, overdue, cancelled]
models:
  Garden:
    fields:
      name: string(1..80)
      opens_at: time = "07:00:00.000"
      closes_at: time = "21:00:00.000"
      currency: string(3..3) = "CHF"
  Plot: { fields: { number: string(1..10) }, relations: { garden: Garden, neighbour: Plot? } }
  Lease:
    fields: { status: LeaseState = requested, starts_on: date, ends_on: date?, signed_at: datetime? }
    relations: { plot: Plot, tenant: User }
  Invoice:
    fields: { amount: 'decimal(10,2)', issued_on: date, due_on: date, status: InvoiceState = open, paid_on: date? }
    relations: { lease: Lease, debtor: User }
  Payment:
    fields: { amount: 'decimal(10,2)', received_on: date }
    relations: { invoice: Invoice, payer: User }
  JournalPost:
    fields: { title: string(1..120), body: text }
`,
  wrong: ({ gardens = [], plots = [], leases = [], invoices = [], payments = [], ...tables }) => ({
    'a default that few have': gardens
      .filter(({ currency }) => currency !== 'CHF')
      .slice(gardens.length / 4),
    'closes before it opens': gardens.filter(
      (row) => text(row['closes_at']) <= text(row['opens_at']),
    ),
    'a neighbour in another garden': plots.filter(
      (plot) =>
        plot['neighbour_id'] !== null &&
        at(plots, plot['neighbour_id'])['garden_id'] !== plot['garden_id'],
    ),
    'signed, though it was only requested or refused': leases.filter(
      (row) => row['signed_at'] !== null && isOneOf(row['status'], 'requested', 'refused'),
    ),
    'active or ended, but not started': leases.filter(
      (row) => text(row['starts_on']) > today && isOneOf(row['status'], 'active', 'ended'),
    ),
    'overdue, but due later': invoices.filter(
      (row) => row['status'] === 'overdue' && text(row['due_on']) >= today,
    ),
    'open, but due long ago': invoices.filter(
      (row) => row['status'] === 'open' && text(row['due_on']) < today,
    ),
    'paid, but not paid': invoices.filter(
      (row) => (row['status'] === 'paid') !== (row['paid_on'] !== null),
    ),
    'another debtor than its tenant': invoices.filter(
      (row) => at(leases, row['lease_id'])['tenant_id'] !== row['debtor_id'],
    ),
    'paid by somebody else': payments.filter(
      (row) => at(invoices, row['invoice_id'])['debtor_id'] !== row['payer_id'],
    ),
    'more paid than owed': overspent(invoices, payments, {
      key: 'invoice_id',
      whole: 'amount',
      part: 'amount',
    }),
    'a sentence about computers': (tables['journal_posts'] ?? []).filter((row) =>
      /array|pixel|wireless|hack|parse|byte/i.test(`${text(row['title'])} ${text(row['body'])}`),
    ),
  }),
};

const company: Domain = {
  name: 'company',
  text: `
version: 1
app: { name: company }
enums: { TicketState: [open, assigned, resolved, closed], OrderState: [draft, ordered, shipped, delivered, cancelled] }
models:
  Department: { fields: { name: string(..80) unique, budget: 'decimal(12,2)' } }
  Employee:
    fields: { hired_on: date, left_on: date?, active: bool = true }
    relations: { department: Department }
  Expense: { fields: { amount: 'decimal(10,2)' }, relations: { department: Department, employee: Employee } }
  Product:
    fields:
      sku: { type: string(3..40), unique: true, pattern: '^[A-Z]{3}-[0-9]{3,4}$', example: TEA-100 }
      price: 'decimal(10,2)'
      days_to_deliver: int(1..1000)
  Purchase:
    fields: { status: OrderState = draft, ordered_at: datetime?, shipped_at: datetime?, delivered_at: datetime? }
  PurchaseLine: { fields: { price: 'decimal(10,2)' }, relations: { purchase: Purchase, product: Product } }
  Ticket:
    fields: { status: TicketState = open, opened_at: datetime, assigned_at: datetime?, resolved_at: datetime? }
`,
  wrong: ({
    departments,
    employees = [],
    expenses = [],
    products = [],
    purchases = [],
    tickets = [],
    ...tables
  }) => ({
    'left before being hired': employees.filter(
      (row) => row['left_on'] !== null && text(row['left_on']) <= text(row['hired_on']),
    ),
    'an expense of a department that is not the one of the employee': expenses.filter(
      (row) => at(employees, row['employee_id'])['department_id'] !== row['department_id'],
    ),
    'more spent than the budget': overspent(departments, expenses, {
      key: 'department_id',
      whole: 'budget',
      part: 'amount',
    }),
    'a code of another shape': products.filter((row) => !/^[A-Z]{3}-\d{3}$/.test(text(row['sku']))),
    'deliveries in a few days only': products.every((row) => Number(row['days_to_deliver']) <= 12)
      ? products
      : [],
    'a line at another price': (tables['purchase_lines'] ?? []).filter(
      (row) => at(products, row['product_id'])['price'] !== row['price'],
    ),
    'a state that does not agree with its moments': [
      ...purchases.filter(
        (row) => isOneOf(row['status'], 'shipped', 'delivered') !== (row['shipped_at'] !== null),
      ),
      ...tickets.filter(
        (row) => isOneOf(row['status'], 'resolved', 'closed') !== (row['resolved_at'] !== null),
      ),
    ],
  }),
};

const tracker: Domain = {
  name: 'tracker',
  text: `
version: 1
app: { name: tracker }
enums: { TaskState: [todo, in_progress, done], LoanState: [lent, returned, overdue], VisitState: [scheduled, arrived, completed] }
models:
  Project: { fields: { name: string(..80) }, members: { member: { by: Membership } } }
  Membership: { relations: { project: Project, user: User }, unique: [[project, user]] }
  Milestone: { fields: { name: string(..80) }, relations: { project: Project } }
  Task:
    fields: { title: string(..160), status: TaskState = todo, started_at: datetime?, done_at: datetime? }
    relations:
      project: Project
      assignee: { to: User, optional: true, among: project.member }
      milestone: { to: Milestone, optional: true, among: project }
  Club:
    fields: { name: string(..80) }
    members: { guest: { by: Seat } }
    access: { create: authenticated, read: authenticated }
  Seat: { relations: { club: Club, user: User? }, unique: [[club, user]], access: { all: via club.read } }
  Match: { fields: { title: string }, relations: { club: Club, referee: { to: User, among: club.guest } } }
  Loan: { fields: { status: LoanState = lent, lent_on: date, due_on: date, returned_on: date? } }
  Visit: { fields: { status: VisitState = scheduled, scheduled_at: datetime, arrived_at: datetime? } }
`,
  wrong: ({
    memberships = [],
    milestones = [],
    tasks = [],
    seats = [],
    matches = [],
    loans = [],
    visits = [],
  }) => ({
    'a referee from outside, though a guest is known': matches.filter((row) => {
      const there = seats.filter(
        (it) => it['club_id'] === row['club_id'] && it['user_id'] !== null,
      );
      return there.length > 1 && !there.some((it) => it['user_id'] === row['referee_id']);
    }),
    'given to somebody who is no member': tasks.filter(
      (row) =>
        row['assignee_id'] !== null &&
        !memberships.some(
          (it) => it['project_id'] === row['project_id'] && it['user_id'] === row['assignee_id'],
        ),
    ),
    'a milestone of another project': tasks.filter(
      (row) =>
        row['milestone_id'] !== null &&
        at(milestones, row['milestone_id'])['project_id'] !== row['project_id'],
    ),
    'a state that does not agree with its moments': [
      ...tasks.filter((row) => (row['status'] === 'done') !== (row['done_at'] !== null)),
      ...loans.filter((row) => (row['status'] === 'returned') !== (row['returned_on'] !== null)),
      ...visits.filter(
        (row) => (row['status'] === 'scheduled') !== text(row['scheduled_at']) > today,
      ),
    ],
    'nobody has a task': tasks.every((row) => row['assignee_id'] === null) ? tasks : [],
  }),
};

const workshop: Domain = {
  name: 'workshop',
  text: `
version: 1
app: { name: workshop }
enums: { State: [received, repaired, returned], Stage: [lead, proposal, won, lost] }
models:
  Room: { fields: { number: string(1..10), occupancy_percent: 'decimal(5,2)' } }
  Bike: { fields: { model: string, year: 'int(1950..2100)', built_in: 'int(1900..2100)' } }
  Repair:
    fields: { title: string(1..120), slug: string(1..120) unique, state: State = received, received_on: date, chip: string(10..20), tax_rate: 'decimal(5,2)' }
    relations: { bike: Bike }
  Deal: { fields: { stage: Stage = lead, probability: int(0..100), total_percent: float, closed_at: datetime?, contact: string } }
`,
  wrong: ({ rooms = [], bikes = [], repairs = [], deals = [] }) => ({
    'a number that no door has': rooms.filter((row) => !/^[1-9]\d\d$/.test(text(row['number']))),
    'more than all': [
      ...rooms.filter((row) => Number(row['occupancy_percent']) > 100),
      ...repairs.filter((row) => Number(row['tax_rate']) > 25),
      ...deals.filter((row) => Number(row['total_percent']) > 100),
    ],
    'a share of next to nothing': deals.every((row) => Number(row['probability']) <= 1)
      ? deals
      : [],
    'a bike that is a car': bikes.filter((row) => !text(row['model']).endsWith(' bike')),
    'a year that is still to come': bikes.filter(
      (row) => Math.max(Number(row['year']), Number(row['built_in'])) > Number(today.slice(0, 4)),
    ),
    'a slug of something else': repairs.filter(
      ({ title, slug }) => !text(slug).startsWith(text(title).toLowerCase().replaceAll(' ', '-')),
    ),
    'a chip of letters': repairs.filter((row) => !/^\d{15}$/.test(text(row['chip']))),
    'written down after it was received': repairs.filter(
      (row) => text(row['created_at']).slice(0, 10) > text(row['received_on']),
    ),
    'a state that nearly all have': repairs
      .filter(({ state }) => state === 'received')
      .slice((repairs.length * 3) / 4),
    'a state that does not agree with its moments': deals.filter(
      (row) => isOneOf(row['stage'], 'won', 'lost') !== (row['closed_at'] !== null),
    ),
    'a sentence in place of a name': deals.filter(
      (row) => text(row['contact']).split(' ').length > 5,
    ),
  }),
};

/** No count of a part is more than the whole. */
const college: Domain = {
  name: 'college',
  text: `
version: 1
app: { name: college }
models:
  Book:
    fields: { title: string, isbn: string(13..13), copies: int, available: int }
  Author:
    fields: { name: string, birth_year: int, death_year: int? }
  Course:
    fields: { title: string, weekday: string, capacity: int, enrolled: int }
  Pupil:
    fields: { name: string, born_on: date }
  Dormitory:
    fields: { name: string, beds: int }
`,
  wrong: ({ books = [], authors = [], courses = [], pupils = [], dormitories = [] }) => ({
    'a number of a book that is cut': books.filter((row) => !/^978\d{10}$/.test(text(row['isbn']))),
    'more are there than all': books.filter(
      (row) => Number(row['available']) > Number(row['copies']),
    ),
    'died before they were born': authors.filter(
      (row) => row['death_year'] !== null && Number(row['death_year']) <= Number(row['birth_year']),
    ),
    'a day that no week has': courses.filter((row) => !text(row['weekday']).endsWith('day')),
    'more than there is room for': courses.filter(
      (row) => Number(row['enrolled']) > Number(row['capacity']),
    ),
    'pupils who are grown up': pupils.filter((row) => text(row['born_on']) < '2010'),
    'rooms of hundreds': dormitories.filter((row) => Number(row['beds']) > 4),
  }),
};

const inn: Domain = {
  name: 'inn',
  text: `
version: 1
app: { name: inn }
enums: { StayState: [reserved, checked_in, checked_out, cancelled] }
models:
  Room: { fields: { number: string, price_per_night: 'decimal(8,2)' } }
  Stay:
    fields: { check_in: date, check_out: date, nights: int, total_price: 'decimal(10,2)', checked_in_at: datetime?, checked_out_at: datetime?, status: StayState = reserved, cancelled_at: datetime?, cancellation_reason: string?, requests: text? }
    relations: { room: Room }
  Purchase: { fields: { total: 'decimal(10,2)' } }
  PurchaseLine:
    fields: { quantity: int, unit_price: 'decimal(8,2)', line_total: 'decimal(10,2)' }
    relations: { purchase: Purchase }
  Leave: { fields: { starts_on: date, ends_on: date, days: int, reason: text, approved_at: datetime?, rejected_at: datetime? } }
  Exam: { fields: { starts_at: time, ends_at: time, duration_minutes: int, points: int, max_points: int, percentage: 'decimal(5,2)' } }
`,
  wrong: ({ rooms = [], stays = [], purchases, leaves = [], exams = [], ...tables }) => ({
    'nights that are not those between': [
      ...stays.filter((row) => daysFrom(row['check_in'], row['check_out']) !== row['nights']),
      ...leaves.filter((row) => daysFrom(row['starts_on'], row['ends_on']) !== row['days']),
    ],
    'a price that is not that of its nights': stays.filter((row) => {
      const price = Number(at(rooms, row['room_id'])['price_per_night']) * Number(row['nights']);
      return Math.abs(price - Number(row['total_price'])) > 0.006;
    }),
    'a stay that has ended, and nobody checked out': stays.filter(
      (row) => isOneOf(row['status'], 'reserved', 'checked_in') && text(row['check_out']) < today,
    ),
    'checked in on another day': stays.filter(
      (row) =>
        row['checked_in_at'] !== null &&
        text(row['checked_in_at']).slice(0, 10) !== row['check_in'],
    ),
    'a reason for what did not happen': stays.filter(
      (row) => row['cancellation_reason'] !== null && row['status'] !== 'cancelled',
    ),
    'more in its lines than in all': overspent(purchases, tables['purchase_lines'], {
      key: 'purchase_id',
      whole: 'total',
      part: 'line_total',
    }),
    'approved and rejected': leaves.filter(
      (row) => row['approved_at'] !== null && row['rejected_at'] !== null,
    ),
    'a reason about the row': [...leaves, ...stays].filter((row) =>
      /leave|stay/.test(`${text(row['reason'])} ${text(row['requests'])}`),
    ),
    'an exam of another length': exams.filter((row) => {
      const [start, end] = [row['starts_at'], row['ends_at']].map((it) =>
        Date.parse(`2000-01-01T${text(it)}Z`),
      );
      return Number(end) - Number(start) !== Number(row['duration_minutes']) * 60_000;
    }),
    'a percentage of something else': exams.filter(
      (row) =>
        Number(row['percentage']) !== (100 * Number(row['points'])) / Number(row['max_points']),
    ),
  }),
};

const daysFrom = (from: unknown, to: unknown) =>
  (Date.parse(text(to)) - Date.parse(text(from))) / 86_400_000;

export const domains = [garden, company, tracker, workshop, college, inn];

/** With the mistakes that are planted in `draw.ts`, its shows end before they start, and discounts are added. */
export const planted = `
version: 1
app: { name: planted }
models:
  Show: { fields: { starts_on: date, ends_on: date } }
  Bill: { fields: { subtotal: 'decimal(8,2)', tax: int, shipping: int, discount: 'decimal(8,2)', total: 'decimal(8,2)' } }
`;

/** What is wrong in a seeded database, with the first row that shows it. */
export async function findAll(seeded: Seeded, wrong: Domain['wrong']): Promise<readonly string[]> {
  const tables: Record<string, readonly Row[]> = {};
  for (const { table } of seeded.runs.flat()) tables[table] = await seeded.rowsOf(table);
  return Object.entries(wrong(tables)).flatMap(([what, rows]) =>
    rows.length > 0 ? [`${what}: ${rows.length}, ${JSON.stringify(rows[0])}`] : [],
  );
}
