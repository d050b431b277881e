import { spacedWords } from '../../../naming/name.ts';

/** Events in order. A comma ends a story. */
const storyTexts = `
founded opened renovated closed dissolved, founded merged, born christened enrolled graduated hired married promoted
retired died buried, engaged married divorced, joined suspended reinstated left, invited joined, invited registered,
invited accepted attended, invited declined, applied interviewed offered hired onboarded promoted transferred fired
resigned left, hired started probation terminated, recruited trained deployed discharged, enlisted discharged,
registered enrolled confirmed attended certified graduated, enrolled started completed, enrolled dropped, elected sworn,
nominated elected inaugurated resigned, subscribed activated renewed paused cancelled unsubscribed, paused resumed,
created assigned started reviewed completed archived, created updated deleted restored, created expires, created last,
opened assigned answered escalated resolved closed reopened, reported triaged assigned fixed verified released closed,
detected acknowledged resolved, raised investigated closed, failed recovered, assigned done, queued started completed,
requested reviewed approved signed started ended, requested approved scheduled issued fulfilled, requested ordered
borrowed, requested rejected, applied rejected, applied granted, submitted reviewed rejected, submitted accepted
published, submitted graded, submitted approved paid, proposed discussed voted adopted repealed, tendered awarded built,
awarded started, drafted written edited reviewed approved signed published archived withdrawn, recorded mixed released,
composed recorded performed, filmed edited screened, rehearsed premiered closed, uploaded processed published,
drafted sent opened clicked, sent delivered read answered, sent received opened, sent bounced, called answered hung,
quoted ordered confirmed paid packed shipped delivered received returned refunded, ordered dispatched arrived unpacked,
ordered cancelled, booked cancelled, placed paid sent, placed fulfilled, bought sold, sold used, made delivered,
purchased installed inspected serviced repaired replaced decommissioned scrapped, bought inspected sold, manufactured
tested shipped sold, picked delivered, issued sent due reminded overdue paid booked, invoiced due settled, billed
collected, issued signed activated revoked expires, issued returned, charged refunded, authorised captured refunded,
deposited withdrawn, invested redeemed, pledged received acknowledged, pledged donated acknowledged, borrowed repaid,
booked confirmed arrived, reserved picked returned, reserved collected dropped, moved vacated, leased vacated, arrived
seen treated discharged, arrived entered exited departed, departed arrived, admitted examined diagnosed operated treated discharged, infected recovered, prescribed
dispensed taken, vaccinated boosted, sampled analysed reported, collected tested reported, arrived completed,
planned started finished, planned departed, scheduled started paused resumed finished, started given ended, starts due ends, begins ends,
starts finishes, begins finishes, started stopped, starts expires, from to, from until, since until, launched landed,
boarded departed landed, loaded departed unloaded, entered exited, entered left, left returned, locked unlocked,
enabled disabled, activated deactivated, blocked unblocked, mounted unmounted, connected disconnected, imported
validated, committed built deployed, staged released, merged deployed, out due overdue back, borrowed due
overdue returned, lent due overdue returned, loaned due overdue returned, rented due overdue returned, issued due
overdue returned, lost found returned, found claimed, listed
viewed offered sold completed, listed bid sold, appraised sold, opened bid awarded, designed built tested launched
retired, commissioned built installed decommissioned, excavated catalogued restored displayed, acquired restored
displayed, acquired withdrawn, sown germinated transplanted harvested stored sold, planted watered fertilised pruned
harvested eaten, seeded sprouted harvested, hatched fledged, mated calved weaned, calved milked slaughtered, adopted
microchipped neutered, rescued treated adopted, caught weighed released, mined smelted cast, brewed bottled tasted,
mixed baked cooled, cooked served, washed dried ironed, arrested charged tried convicted sentenced released, accused
heard acquitted, filed heard decided appealed, filed granted lapses, first last, joined last, registered last,
previous next, last next, valid expires`;

/** Synonyms of events, and the states that they lead to. */
const stateMeanings = `
active running ongoing current live progress underway trialing doing checked = started; began begun = begins;
late = overdue; done complete over past former succeeded failed = ended; new pending waiting upcoming todo lead = requested; qualified = proposed; won = ended;
draft = drafted; proposal = proposed; refused declined denied = rejected; canceled void voided = cancelled; arrival = arrived;
departure = departed; leaves leave = left; birth birthday = born; death = died; delivery = delivered;
payment = paid; cancellation = cancelled; rejection refusal = rejected; expiry expiration expired = expires; deadline = due; till = until; hire = hired`;

/** `starts`, `started`, `starting` → `start` */
export function stem(word: string): string {
  const start = word.replace(/(ied|ed|ing|es|s|e|y)$/, '');
  return start.length < 2 ? word : start.replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

const stems = (words: string) => new Set(words.split(' ').map(stem));

/** Groups of events with the same properties. */
const eventKinds = {
  requests: stems(
    'requested applied ordered submitted created placed booked reserved planned scheduled drafted proposed invited registered',
  ),
  begins: stems(
    'started begins opened issued signed out sent approved valid from joined hired arrived borrowed lent loaned rented',
  ),
  ends: stems(
    'ended finishes completed closed returned back paid left to until resolved departed archived expires stopped seen attended missed treated served',
  ),
  /** Nothing happens after these: what is cancelled does not start. */
  stops: stems('rejected cancelled withdrawn lost dropped'),
  begun: stems('starts begins from'),
  /** In the future, unless something follows them. */
  ahead: stems('due expires next until to renews remind'),
  coming: stems('scheduled planned'),
  /** Set in few rows. */
  rare: stems(
    'archived cancelled revoked withdrawn terminated dissolved blocked suspended left died sold deleted',
  ),
  /** Years later, or long ago. */
  late: stems(
    'left resigned graduated retired expires sold dissolved withdrawn decommissioned next',
  ),
  early: stems('hired joined bought purchased acquired installed'),
  /** On the same day. */
  together: stems(
    'starts begins ends finishes opened closed from to until entered exited arrived left departed called hung stopped',
  ),
  departures: stems('departed exited'),
  overdue: stems('overdue'),
} as const;

export const isEventKind = (event: string, ...names: readonly (keyof typeof eventKinds)[]) =>
  names.some((name) => eventKinds[name].has(event));

const stories = storyTexts.split(',').map((story) => story.trim().split(/\s+/).map(stem));
const knownEvents = new Set(stories.flat());
const synonyms = new Map(
  stateMeanings.split(';').flatMap((row) => {
    const [words = '', meaning = ''] = row.split('=').map((side) => side.trim());
    return words.split(/\s+/).map((word) => [stem(word), stem(meaning)] as const);
  }),
);

/** The event in a name: the last word that a story has, or else the last word. */
export function readEvent(name: string): string {
  const words = spacedWords(name)
    .replace(/\bcheck(ed)? ?in\b/, 'entered')
    .replace(/\bcheck(ed)? ?out\b/, 'exited')
    .replace(/\bno ?show\b/, 'missed')
    .replace(/\b(on sale|sold out)\b/, 'planned')
    .split(' ')
    .filter((word) => !/^(at|on|date|time|day|was|is|by)$/.test(word))
    .map((word) => synonyms.get(stem(word)) ?? stem(word));
  return words.findLast((word) => knownEvents.has(word)) ?? words.at(-1) ?? '';
}

/** Whether one event comes before another in all stories. */
export function isBefore(one: string, other: string): boolean {
  return comesFirst(one, other) && !comesFirst(other, one);
}

const comesFirst = (first: string, second: string) =>
  stories.some((it) => it.includes(first) && it.indexOf(first) < it.indexOf(second));
