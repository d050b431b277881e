import { describe, expect, it } from 'vitest';
import { updateUser } from '../../src/users/queries.ts';
import { type User, users } from '../../src/users/schema.ts';
import { type Client, clients, startTestApp } from '../app.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp();
const clientOf = clients(api.app);

/** How many stories are tried: the shortest ones in order, and a quarter as many long ones. */
const count = Number(process.env.STORIES ?? 26);

/** Somebody who acts on one account, with whatever they got hold of. */
interface Party {
  readonly name: string;
  /** Those whose mail they read. */
  readonly mailboxes: readonly string[];
  /** Where they would have the account, in turn. */
  readonly wishes: readonly string[];
  readonly passwords: Set<string>;
  client: Client;
}

interface Account {
  readonly id: User['id'];
  readonly owner: Party;
  readonly thief: Party;
}

/** An account whose password somebody else knows. */
async function stolen(): Promise<Account> {
  const { id, email } = await api.make.user();
  const party = (name: string, mailboxes: readonly string[], wishes: readonly string[]): Party => ({
    name,
    mailboxes,
    wishes,
    passwords: new Set([testPassword]),
    client: api.nobody,
  });
  const others = ['thief@example.test', 'far-away@example.test'];
  return {
    id,
    owner: party('owner', [email, 'new@example.test'], ['new@example.test', email]),
    // Giving it back is how a thief would have the victim undo the only way to their own mailbox.
    thief: party('thief', others, [...others, email]),
  };
}

async function emailOf({ id }: Account): Promise<string> {
  const row = await api.app.database
    .selectFrom(users.table)
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.email;
}

/** The tokens in the links to a page that were mailed to them, oldest first. */
async function tokensFor(mailboxes: readonly string[], page: string): Promise<readonly string[]> {
  await api.app.outbox.deliver();
  return api.mails
    .filter(({ to }) => mailboxes.includes(to))
    .map(({ text }) => new RegExp(`/${page}\\?token=([\\w-]{43})`).exec(text)?.[1] ?? '')
    .filter((token) => token !== '');
}

type Move = (account: Account, party: Party) => Promise<unknown>;

/** Each does as much as it can, and nothing where the party has nothing to do it with. */
const moves = {
  async 'changes the address'(account, party) {
    await logInIfNeeded(account, party);
    const { wishes } = party;
    const email = wishes[(wishes.indexOf(await emailOf(account)) + 1) % wishes.length] ?? '';
    for (const current_password of party.passwords) {
      await party.client.post('/auth/change-email', { current_password, email });
    }
    // Whoever reads the mail confirms what it says.
    for (const token of await tokensFor([email], 'confirm-email')) {
      await api.nobody.post('/auth/change-email/confirm', { token });
    }
  },

  async 'logs in'(account, party) {
    const username = await emailOf(account);
    for (const password of party.passwords) {
      const response = await api.nobody.post('/auth/token', { username, password });
      if (response.statusCode === 200) party.client = clientOf(response.json().access_token);
    }
  },

  async 'changes the password'(account, party) {
    await logInIfNeeded(account, party);
    const password = `${party.name} chose ${party.passwords.size}`;
    for (const current_password of party.passwords) {
      const change = { current_password, password };
      const response = await party.client.post('/auth/change-password', change);
      if (response.statusCode === 204) party.passwords.add(password);
    }
  },

  async 'resets the password'(_account, party) {
    for (const email of party.mailboxes) await api.nobody.post('/auth/forgot-password', { email });
    const password = `${party.name} chose ${party.passwords.size}`;
    for (const token of await tokensFor(party.mailboxes, 'reset-password')) {
      const response = await api.nobody.post('/auth/reset-password', { token, password });
      if (response.statusCode === 200) party.passwords.add(password);
    }
  },

  async 'uses the last link back'(_account, party) {
    const token = (await tokensFor(party.mailboxes, 'revert-email')).at(-1) ?? '';
    await api.nobody.post('/auth/change-email/revert', { token });
  },

  async 'uses the first link back'(_account, party) {
    for (const token of await tokensFor(party.mailboxes, 'revert-email')) {
      const response = await api.nobody.post('/auth/change-email/revert', { token });
      if (response.statusCode === 200) return;
    }
  },
} satisfies Readonly<Record<string, Move>>;

async function logInIfNeeded(account: Account, party: Party): Promise<void> {
  const me = await party.client.get('/auth/me');
  if (me.statusCode !== 200) await moves['logs in'](account, party);
}

interface Step {
  readonly name: string;
  readonly take: (account: Account) => Promise<unknown>;
}

const steps: readonly Step[] = [
  ...(['thief', 'owner'] as const).flatMap((who) =>
    Object.entries<Move>(moves).map(([name, move]) => ({
      name: `the ${who} ${name}`,
      take: (account: Account) => move(account, account[who]),
    })),
  ),
  {
    name: 'an admin gives the account its address back',
    async take({ id, owner }) {
      const admin = await api.make.user({ role: 'admin' });
      const [email = ''] = owner.mailboxes;
      await updateUser(api.app.database, { viewer: admin, id }, Object({ email }));
    },
  },
];

/** Takes the steps; then the owner uses what they have, and after that the thief. Who has the account in the end? */
async function tell(story: readonly Step[]) {
  const account = await stolen();
  const { owner, thief } = account;
  for (const { take } of story) await take(account);

  await moves['uses the first link back'](account, owner);
  await moves['resets the password'](account, owner);
  await moves['logs in'](account, owner);
  for (const move of Object.values<Move>(moves)) await move(account, thief);

  const [ownersMe, thiefsMe] = [
    await owner.client.get('/auth/me'),
    await thief.client.get('/auth/me'),
  ];
  const hasAddress = owner.mailboxes.includes(await emailOf(account));
  return { owner: ownersMe.statusCode, thief: thiefsMe.statusCode, hasAddress };
}

/** Each number is a story: its digits in base 13 are the steps, so that counting goes through all of them by length. */
function storyOf(number: number): readonly Step[] {
  const [step] = steps.slice((number - 1) % steps.length);
  const rest = Math.floor((number - 1) / steps.length);
  return step === undefined ? [] : [...(rest > 0 ? storyOf(rest) : []), step];
}

/** The same ones each time, most of eight steps: https://en.wikipedia.org/wiki/Lehmer_random_number_generator */
function drawn(length: number): readonly number[] {
  const states = [48_271];
  while (states.length < length) states.push(((states.at(-1) ?? 1) * 48_271) % 2_147_483_647);
  return states;
}

const numbers = [...Array.from({ length: count }, (_, index) => index + 1), ...drawn(count / 4)];
const stories = numbers.map(storyOf).map((story) => ({
  name: story.map(({ name }) => name).join(', '),
  story,
}));

describe('an account whose password was stolen is back with its owner', () => {
  it.each(stories)('after $name', async ({ story }) => {
    expect(await tell(story)).toEqual({ owner: 200, thief: 401, hasAddress: true });
  });
});
