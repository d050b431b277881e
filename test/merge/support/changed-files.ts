import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../../src/model/app.ts';
import { root } from '../../support/root.ts';
import { drawStep, firstWorld } from '../../evolve/random/step.ts';
import { schemaText } from '../../evolve/random/world.ts';
import { blogText, changedBlogs } from './blog-changes.ts';
import { appOf, changedFiles, nextApp, type ChangedFile, type Step } from './evolutions.ts';
import { schemaEdits } from './schema-edits.ts';
import { upgrades } from './upgrades.ts';

interface Wanted {
  readonly seed: number;
  readonly random: number;
  /** One in so many of the changes that are two at once. */
  readonly pairs: number;
}

/** Every file that some change of the schema, or of the generator, changes: once a change. */
export function readChangedFiles({ seed, random, pairs }: Wanted): ChangedFile[] {
  const steps = schemaSteps();
  const drawn = steps.filter(isPair).filter((_, at) => at % pairs === 0);
  return [
    ...steps.filter((step) => !isPair(step) || drawn.includes(step)).flatMap(parsed),
    ...upgradeSteps(),
    ...randomSteps(seed, random),
  ].flatMap(changedFiles);
}

const isPair = ({ name }: { readonly name: string }) => name.includes(' + ');

/** The text of a schema before and after a change. */
export interface SchemaStep {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export function schemaSteps(): SchemaStep[] {
  const blogs = [...changedBlogs()].map(([name, after]) => ({ name, before: blogText, after }));
  const others = Object.entries(schemaEdits).map(([name, { schema, edits }]) => {
    const before = readSchema(schema);
    const after = edits.reduce((edited, [find, by]) => {
      if (!edited.includes(find)) throw new Error(`${name}: ${find} is not in ${schema}.`);
      return edited.replaceAll(find, () => by);
    }, before);
    return { name, before, after };
  });
  return [...blogs, ...others];
}

/** Two changes may exclude each other; one alone is always legal. */
function parsed({ name, ...texts }: SchemaStep): Step[] {
  const before = needed(name, knownApp(texts.before));
  const after = nextApp(before, texts.after);
  if (!after && !isPair({ name })) throw new Error(`${name}: the schema is refused.`);
  return after ? [{ name, before, after }] : [];
}

/** Most steps begin with the same schema. */
export function knownApp(text: string): App | undefined {
  if (!apps.has(text)) apps.set(text, appOf(text));
  return apps.get(text);
}

const apps = new Map<string, App | undefined>();

function upgradeSteps(): Step[] {
  const after = needed('the blog', appOf(readSchema('fixtures/apps/blog/schema.yaml')));
  return Object.entries(upgrades).map(([name, older]) => ({ name, before: after, after, older }));
}

/** Schemas and changes that nobody thought of. */
function randomSteps(seed: number, count: number): Step[] {
  const steps = fc.gen().map((draw) => {
    const world = firstWorld(draw);
    const { world: next, renames } = drawStep(draw, world);
    return { text: schemaText(world), next: schemaText(next), renames };
  });
  return fc.sample(steps, { seed, numRuns: count }).flatMap(({ text, next, renames }, index) => {
    const before = appOf(withHead(text));
    const after = before && nextApp(before, withHead(next), renames);
    return after ? [{ name: `random ${index}`, before, after }] : [];
  });
}

function withHead(body: string): string {
  return `version: 1\napp: { name: blog }\n${body}`;
}

function readSchema(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`${name}: the schema is refused.`);
  return value;
}
