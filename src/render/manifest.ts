import { InternalError } from '../errors.ts';
import { allEntries, hasOwnCreateResponse, hasScatteredLists } from '../model/access.ts';
import { type App, type Field, isUser, type Model } from '../model/app.ts';
import {
  hasAccounts,
  hasAgreement,
  hasBigints,
  hasChecks,
  hasSecretLink,
  hasPasswords,
  hasMembers,
} from '../model/app-features.ts';
import { listMemberKinds } from '../model/lookups.ts';
import type { FileKind } from '../merge/conflict.ts';
import { listKeyMakers } from '../model/fields.ts';
import type { Mode, Policy } from './rendered-file.ts';
import { hasFieldRules, writableLinks } from './views/field-type.ts';
import { hasCondition, type Entry } from '../schema/entry.ts';

/** A file that templates make. */
export interface Output {
  readonly id: string;
  /** The path of the template, below `templates/`. */
  readonly template: string;
  /** The path of the template below its root, without `.hbs`. It selects the view and the policy. */
  readonly source: string;
  readonly path: string;
  readonly policy: Policy;
  readonly kind: FileKind;
  readonly mode: Mode;
  readonly model?: Model;
}

/** Every file that the templates make for an app, sorted by path. `templates`: all paths below `templates/`. */
export function listOutputs(app: App, templates: readonly string[]): readonly Output[] {
  const copy = `copy/${app.formerDatabase}-to-${app.database}`;
  const options = optionFolders.filter(([, isSo]) => isSo(app)).map(([root]) => root);
  const forApp = new Map(overlay(templates, ['app', ...options, app.database, copy]));
  const forModel = overlay(templates, ['model']);
  const forUser = overlay(templates, ['model', 'user']);
  return [
    ...[...forApp].map(([source, template]) => output({ source, template })),
    ...app.models.flatMap((model) =>
      [...(isUser(model) ? forUser : forModel)].map(([source, template]) =>
        output({ source, template, model }),
      ),
    ),
  ]
    .filter(({ source, model }) =>
      model ? !isUnused(source, model) : (neededBy[source]?.(app) ?? true),
    )
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** Folders whose templates are laid over those of `app/`, and the apps for which they are. */
const optionFolders: readonly (readonly [string, (app: App) => boolean])[] = [
  ['accounts', hasAccounts],
  ['passwords', hasPasswords],
  ['no-accounts', (app) => !hasAccounts(app)],
];

/** The last row that matches decides. */
const policies: readonly (readonly [RegExp, Policy])[] = [
  [/./, 'yours'],
  [/^package\.json$/, 'merged'],
  [/^src\/model\/|^seeds\/seed\.ts$|^test\/(model|factory)/, 'merged'],
  [/^src\/(enums|routes|model\/schema|database\/tables)\.ts$/, 'generated'],
  [/^migrations\//, 'tool'],
];

const kindsByPath: readonly (readonly [RegExp, FileKind])[] = [
  [/./, 'text'],
  [/\.ts$/, 'ts'],
  [/\.json$|^\.(oxlint|prettier)rc/, 'json'],
  [/^\.env/, 'env'],
  [/\.ya?ml$/, 'yaml'],
  [/\.md$/, 'markdown'],
  [/\.sql$/, 'sql'],
];

/** By the path of a file, or by its name alone. */
export const kindOf = (path: string) => lastMatch(kindsByPath, path);

/** Files that only some apps need. */
const neededBy: Readonly<Record<string, (app: App) => boolean>> = {
  'src/enums.ts': ({ enums }) => enums.length > 0,
  'src/lib/conditions.ts': (app) =>
    hasMembers(app) || hasEntry(app, hasCondition) || app.models.some(({ link }) => link?.if),
  'src/lib/created.ts': ({ models }) => models.some(hasOwnCreateResponse),
  'src/lib/first-member.ts': (app) => listMemberKinds(app).some(({ first }) => first !== undefined),
  'src/lib/agreement.ts': (app) => hasAgreement(app),
  'test/agreement.ts': (app) => hasAgreement(app),
  'test/fields.ts': hasFieldRules,
  'src/lib/link.ts': hasSecretLink,
  'test/link.ts': hasSecretLink,
  'src/lib/set-links.ts': ({ models }) => models.some((model) => writableLinks(model).length > 0),
  'src/lib/goes-with.ts': hasMembers,
  'src/lib/list/ways.ts': hasScatteredLists,
  'src/lib/members.ts': hasMembers,
  'src/lib/memberships.ts': (app) => hasMembers(app) || hasAgreement(app),
  'src/lib/shares.ts': (app) => hasEntry(app, isSharing),
  'test/shares.ts': (app) => hasEntry(app, isSharing),
  'src/lib/via.ts': (app) => hasEntry(app, ({ kind }) => kind === 'via'),
  'src/database/bigints.ts': hasBigints,
  'src/database/uuid.ts': ({ models }) =>
    models.some(({ fields }) => fields.some(isTimeOrderedKey)),
  'seeds/order.ts': hasChecks,
  'src/database/text-keys.ts': (app) => listKeyMakers(app).some((maker) => maker !== 'uuid text'),
};

const isSharing = ({ kind }: Entry) => kind === 'shares';
const isTimeOrderedKey = ({ default: made }: Field) =>
  made?.kind === 'uuid' || (made?.kind === 'key' && made.maker !== 'nanoid');
const hasEntry = ({ models }: App, is: (entry: Entry) => boolean) =>
  models.flatMap(allEntries).some(is);

/** Whether a model without endpoints does not need a file. Users always sign up and change themselves. */
function isUnused(source: string, model: Model): boolean {
  if (model.endpoints.length > 0) return false;
  const ofEndpoints = isUser(model)
    ? /^src\/model\/routes|^test\//
    : /^src\/model\/(routes|queries)|^test\//;
  return ofEndpoints.test(source);
}

function output({
  source,
  template,
  model,
}: Pick<Output, 'source' | 'template' | 'model'>): Output {
  return {
    id: model ? modelFileId(model.id, source) : source,
    template,
    source,
    path: model ? source.replace(/\bmodel\b/, model.names.folder) : source,
    policy: lastMatch(policies, source),
    kind: kindOf(source),
    mode: source.endsWith('.sh') ? '755' : '644',
    ...(model && { model }),
  };
}

const modelFileId = (model: string, source: string) => `${model}/${source}`;

/** Ids of the files that a template makes: one, or one per model. `model`: the id of the only model that is meant. */
export function listFileIds(source: string, { models }: App, model: string | undefined) {
  if (!/^(?:src|test)\/model\b/.test(source)) return [source];
  const ids = model === undefined ? models.map(({ id }) => id) : [model];
  return ids.map((id) => modelFileId(id, source));
}

/** The source path and the model id in the id of a file, whose template may be gone. Undefined if its model is gone. */
export function parseFileId(id: string, { models }: App) {
  const model = models.find((it) => id.startsWith(modelFileId(it.id, '')))?.id;
  if (model !== undefined) return { source: id.slice(modelFileId(model, '').length), model };
  return id.startsWith('model:') ? undefined : { source: id, model };
}

/** Templates by source path. A template of a later root replaces that of an earlier one. */
function overlay(
  templates: readonly string[],
  roots: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    roots.flatMap((root) =>
      templates
        .filter((template) => template.startsWith(`${root}/`))
        .map(
          (template) => [template.slice(root.length + 1).replace(/\.hbs$/, ''), template] as const,
        ),
    ),
  );
}

function lastMatch<T>(table: readonly (readonly [RegExp, T])[], source: string): T {
  const row = table.findLast(([pattern]) => pattern.test(source));
  if (!row) throw new InternalError(`No row for ${source}.`);
  return row[1];
}
