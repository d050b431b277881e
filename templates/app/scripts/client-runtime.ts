/** Why the server refused a call: `code` is for programs, the message for people, `fields` for forms. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field: `{ title: 'is required' }`. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, { code = '', detail = '', errors = [] }: Refusal) {
    super(detail);
    this.status = status;
    this.code = code;
    this.fields = Object.fromEntries(errors.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]));
  }
}

interface Refusal {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
}

export interface ApiTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Where the tokens of whoever is signed in are kept. */
export interface ApiTokenStore {
  get(): ApiTokens | undefined | Promise<ApiTokens | undefined>;
  set(tokens: ApiTokens | undefined): void | Promise<void>;
}

export interface ApiOptions {
  /** Where the server is: `https://api.example.com`. */
  readonly url: string;
  /** In memory, where nothing is said. */
  readonly tokens?: ApiTokenStore;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The calls of a server by their names. Each takes what it has of: names in its path, a body, a query. */
export type ApiOf<Operations> = {
  readonly [Name in keyof Operations]: (
    ...input: [...Input<Operations[Name]>, options?: CallOptions]
  ) => Promise<Answer<Operations[Name]>>;
};

type Input<Call> = [...PathInput<Call>, ...BodyInput<Call>, ...QueryInput<Call>];

type PathInput<Call> = Call extends { parameters: { path: infer Path } } ? [path: Path] : [];

type BodyInput<Call> = Call extends { requestBody: { content: { 'application/json': infer Body } } }
  ? [body: Body]
  : [];

type QueryInput<Call> = Call extends { parameters: { query?: infer Query } }
  ? [NonNullable<Query>] extends [never]
    ? []
    : Call extends { parameters: { query: object } }
      ? [query: Query]
      : [query?: OrLeftOut<NonNullable<Query>> & Conditions<Query>]
  : [];

/** What is undefined is not sent: `status: chosen || undefined` */
type OrLeftOut<Query> = { readonly [Key in keyof Query]: Query[Key] | undefined };

/** `views__gte: 10`, `'author.name': 'Ann'`, `status__in: ['draft', 'published']` */
type Conditions<Query> = Query extends { filter?: string }
  ? { readonly [Key in `${string}__${string}` | `${string}.${string}`]?: Values | undefined }
  : unknown;

type Values = Value | readonly Value[];

type Value = string | number | boolean;

type Answer<Call> = Call extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: Content<Responses[Status]> }[keyof Responses & Success]
  : never;

type Success = 200 | 201 | 202 | 204;

type Content<Response> = Response extends { content: { 'application/json': infer Json } }
  ? Json
  : Response extends { content: Readonly<Record<string, infer Text>> }
    ? Text
    : undefined;

interface CallFacts {
  readonly method: string;
  readonly path: string;
  readonly takes: readonly string[];
  /** Whether it is the same for everybody, so that no token is sent. */
  readonly isPublic: boolean;
}

/** Calls are sent with the tokens that the last sign-in answered; expired ones are refreshed, once for all calls that wait. */
export function createApi<Operations>(
  calls: Readonly<Record<string, CallFacts>>,
  { url, tokens: store = inMemory() }: ApiOptions,
): ApiOf<Operations> {
  let refreshing: Promise<ApiTokens | undefined> | undefined;

  async function run(name: string, facts: CallFacts, input: readonly unknown[]): Promise<unknown> {
    const request = requestOf(facts, input);
    const tokens = facts.isPublic ? undefined : await store.get();
    const answer = await send(request, tokens).catch(async (error: unknown) => {
      const isExpired = error instanceof ApiError && error.code === 'invalid_token';
      if (!isExpired || tokens === undefined) throw error;
      refreshing ??= refresh(tokens).finally(() => (refreshing = undefined));
      return send(request, await refreshing);
    });
    if (isTokens(answer)) await store.set(answer);
    if (name === 'logout') await store.set(undefined);
    return answer;
  }

  /** None when the session has ended: what everybody may do is then done without. */
  async function refresh({ access_token }: ApiTokens): Promise<ApiTokens | undefined> {
    const kept = await store.get();
    // Another call, or another window, was faster.
    if (kept?.access_token !== access_token) return kept;
    const body = JSON.stringify({ refresh_token: kept.refresh_token });
    const answer = await send({ path: '/auth/refresh', method: 'POST', body }).catch(
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return undefined;
        throw error;
      },
    );
    const tokens = isTokens(answer) ? answer : undefined;
    await store.set(tokens);
    return tokens;
  }

  async function send({ path, ...init }: Prepared, tokens?: ApiTokens): Promise<unknown> {
    const headers = {
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(tokens && { authorization: `Bearer ${tokens.access_token}` }),
    };
    return read(await fetch(url.replace(/\/$/, '') + path, { ...init, headers }));
  }

  const entries = Object.entries(calls).map(([name, facts]) => [
    name,
    (...input: readonly unknown[]) => run(name, facts, input),
  ]);
  return Object(Object.fromEntries(entries));
}

/** Every row of a list, page after page: `for await (const post of allRows(api.listPosts, { status: 'draft' }))` */
export async function* allRows<Query extends object, Row>(
  list: (query?: Query) => Promise<RowPage<Row>>,
  query?: NoInfer<Query>,
): AsyncGenerator<Row, void> {
  let page: RowPage<Row> | undefined;
  do {
    const cursor = page?.next_cursor;
    page = await list(Object({ count: 'none', ...query, ...(cursor !== undefined && { cursor }) }));
    yield* page.items;
  } while (page.next_cursor !== undefined);
}

interface RowPage<Row> {
  readonly items: readonly Row[];
  readonly next_cursor?: string;
}

interface Prepared {
  readonly path: string;
  readonly method: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

function requestOf({ method, path, takes }: CallFacts, input: readonly unknown[]): Prepared {
  const given = (name: string) => Object(input[takes.indexOf(name)] ?? {});
  const query = Object.entries(given('query')).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`],
  );
  const names = given('path');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(names[name]));
  const { signal }: CallOptions = Object(input[takes.length]);
  return {
    method,
    path: [filled, ...(query.length > 0 ? [query.join('&')] : [])].join('?'),
    ...(takes.includes('body') && { body: JSON.stringify(given('body')) }),
    ...(signal && { signal }),
  };
}

async function read(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const answer: unknown = isJson ? await response.json() : (await response.text()) || undefined;
  if (response.ok) return answer;
  const detail = `The server answered ${response.status}.`;
  const refusal: Refusal = isJson ? Object(answer) : { detail };
  throw new ApiError(response.status, refusal);
}

function isTokens(answer: unknown): answer is ApiTokens {
  const { access_token, refresh_token } = Object(answer);
  return typeof access_token === 'string' && typeof refresh_token === 'string';
}

function inMemory(): ApiTokenStore {
  let tokens: ApiTokens | undefined;
  return { get: () => tokens, set: (next) => void (tokens = next) };
}
