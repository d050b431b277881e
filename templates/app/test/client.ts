import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { documentCheck } from './document.ts';

type Headers = Readonly<Record<string, string>>;
type Response = Promise<LightMyRequestResponse>;

/** Calls the API as somebody, and holds every answer against the OpenAPI document. */
export interface Client {
  get(url: string, headers?: Headers): Response;
  post(url: string, body?: object, headers?: Headers): Response;
  put(url: string, body: object): Response;
  patch(url: string, body: object, headers?: Headers): Response;
  delete(url: string, headers?: Headers): Response;
  /** With a form or broken JSON as its body. */
  send(request: InjectOptions & { readonly method: string; readonly url: string }): Response;
}

export function clients(app: FastifyInstance): (token?: string) => Client {
  const check = documentCheck(app);
  return (token) => {
    const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const send: Client['send'] = async (request) => {
      const response = await app.inject({ ...request, headers: { ...own, ...request.headers } });
      check(request, response);
      return response;
    };
    return {
      send,
      get: (url, headers = {}) => send({ method: 'GET', url, headers }),
      post: (url, body, headers = {}) =>
        send({ method: 'POST', url, headers, ...(body && { payload: body }) }),
      put: (url, body) => send({ method: 'PUT', url, payload: body }),
      patch: (url, body, headers = {}) => send({ method: 'PATCH', url, headers, payload: body }),
      delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
    };
  };
}

/** Where an answer of 409 or 422 says that something is wrong, in order: `['#/email']`. */
export function pointers(response: LightMyRequestResponse): readonly string[] {
  const errors: readonly { readonly pointer: string }[] = response.json().errors;
  return [...new Set(errors.map(({ pointer }) => pointer))].toSorted();
}

/** The pointers to all that is in a body. */
export function pointersTo(body: object): readonly string[] {
  return Object.keys(body)
    .map((name) => `#/${name}`)
    .toSorted();
}
