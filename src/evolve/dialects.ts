import type { Engine } from '../model/app.ts';
import type { Dialect } from './dialect.ts';
import { postgres } from './postgres/dialect.ts';
import { sqlite } from './sqlite/dialect.ts';

export const dialects: Readonly<Record<Engine, Dialect>> = { sqlite, postgres };
