import type { App, Field, Model } from '../../src/model/app.ts';

export function modelOf(app: App, type: string): Model {
  return found(app.models.find(({ names }) => names.type === type));
}

export function fieldOf({ fields }: Model, name: string): Field {
  return found(fields.find((candidate) => candidate.name === name));
}

export function relationOf({ relations }: Model, name: string) {
  return found(relations.find((candidate) => candidate.name === name));
}

export function fieldNames({ fields }: Model): string {
  return fields.map(({ name }) => name).join(' ');
}

export function indexNames({ indexes }: Model): string {
  return indexes.map(({ name }) => name).join(' ');
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not found');
  return value;
}
