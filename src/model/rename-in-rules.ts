import { present } from '../present.ts';
import { rememberPer } from '../remember.ts';
import type { Comparison, Operand, Entry } from '../schema/entry.ts';
import { byOperation } from '../schema/language.ts';
import { spellOperand } from '../schema/spell-entry.ts';
import type { Among, App, EnumValue, Field, MemberKind, Model } from './app.ts';
import { findField, findMemberKind, getModel, findToOne, listEnumValues } from './lookups.ts';

/**
 * Writes the rules of a model with the names of a later app: of models, fields, relations, values of enums and roles.
 * Roles and values are sorted like the enums, as any other order means the same.
 */
export function renameInRules(model: Model, before: App, after: App): Model {
  const now = new Renamer(before, after);
  const member = (name: string) => now.member(name, model);
  const entry = (it: Entry) => now.entry(it, model);
  const rules = ({ read, write }: Pick<Field, 'read' | 'write'>) =>
    present({ read: read?.map(entry), write: write?.map(entry) });
  return {
    ...model,
    fields: model.fields.map((it) => ({
      ...it,
      ...rules(it),
      name: member(it.name),
      ...present({ relation: it.relation && member(it.relation) }),
    })),
    relations: model.relations.map((it) => {
      const name = member(it.name);
      if (it.kind === 'links') return { ...it, ...rules(it), name };
      if (it.kind !== 'one' || it.among === undefined) return { ...it, name };
      return { ...it, name, among: now.agreement(it.among, model) };
    }),
    access: byOperation((name) => model.access[name].map(entry)),
    embed: model.embed.map(member),
    ...present({
      owner: model.owner && member(model.owner),
      assign: model.assign?.map((role) => now.role(role)),
      members: model.members?.map((kind) => now.members(kind)),
      link: model.link && {
        ...model.link,
        ...present({ if: now.condition(model.link.if, model) }),
      },
    }),
  };
}

/** Writes the conditions of unique constraints and indexes with the names of a later app. */
export function renameInConditions(model: Model, before: App, after: App): Model {
  const now = new Renamer(before, after);
  const keyed = <Keys extends { readonly where?: Condition }>(keys: Keys): Keys => ({
    ...keys,
    ...present({ where: now.condition(keys.where, model) }),
  });
  return { ...model, unique: model.unique.map(keyed), indexes: model.indexes.map(keyed) };
}

type Condition = readonly Comparison[];

/** Values of enums come first, in their order. */
const namesById = rememberPer(({ models, enums }: App): ReadonlyMap<string, string> => {
  const members = models.flatMap(({ fields, relations }) => [...fields, ...relations]);
  const values = enums.flatMap((it) => it.values);
  return new Map([
    ...values.map(({ id, value }) => [id, value] as const),
    ...models.map((it) => [it.id, it.name] as const),
    ...members.map(({ id, name }) => [id, name] as const),
  ]);
});

class Renamer {
  readonly #before: App;
  readonly #names: ReadonlyMap<string, string>;

  constructor(before: App, after: App) {
    this.#before = before;
    this.#names = namesById(after);
  }

  member(name: string, { relations, fields }: Model): string {
    const former = [...relations, ...fields].find((it) => it.name === name);
    return this.#called(name, former);
  }

  role(name: string): string {
    return this.#value(name, this.#before.enums.find((it) => it.name === 'Role')?.values);
  }

  entry(it: Entry, of: Model): Entry {
    const inOrder = (condition: Condition | undefined) =>
      this.condition(condition, of)?.map((each) => ({
        ...each,
        values: each.values.toSorted((one, other) =>
          this.#order(spellOperand(one), spellOperand(other)),
        ),
      }));
    return { ...this.#who(it, of), ...present({ if: inOrder(it.if), after: inOrder(it.after) }) };
  }

  condition(comparisons: Condition | undefined, of: Model): Condition | undefined {
    return comparisons?.map(({ operator, path, values }) => {
      const last = this.#along(path, of).at(-1) ?? of;
      const known = this.#valuesOf(last, path.at(-1));
      const operands = values.map((it) => this.#operand(it, known));
      return { operator, path: this.#path(path, of), values: operands };
    });
  }

  agreement({ path, members, ...it }: Among, of: Model): Among {
    const there = this.#along(path, of).at(-1) ?? of;
    const ofRoles = present({ members: members && this.#ofRoles(members, there) });
    return { ...it, path: this.#path(path, of), ...ofRoles };
  }

  members(kind: MemberKind): MemberKind {
    const by = getModel(kind.by, this.#before);
    const roles = kind.roles.map((role) => this.#value(role, this.#valuesOf(by, kind.role)));
    const counted = present({ if: this.condition(kind.if, by) });
    return { ...kind, by: this.#called(kind.by, by), roles, ...counted };
  }

  #who(it: Entry, of: Model): Entry {
    switch (it.kind) {
      case 'role':
        return { ...it, role: this.role(it.role) };
      case 'members':
        return this.#ofRoles(it, of);
      case 'shares': {
        const shared = this.#before.models.find((each) => each.name === it.model);
        return { ...it, model: this.#called(it.model, shared) };
      }
      case 'is':
      case 'via':
        return { ...it, relation: this.member(it.relation, of) };
      default:
        return it;
    }
  }

  #ofRoles<Who extends Pick<MemberKind, 'word' | 'roles'>>(who: Who, of: Model): Who {
    const kind = findMemberKind(who.word, of);
    const values = kind && this.#valuesOf(getModel(kind.by, this.#before), kind.role);
    const roles = who.roles.map((role) => this.#value(role, values));
    return { ...who, roles: roles.toSorted((one, other) => this.#order(one, other)) };
  }

  #operand(it: Operand, values: readonly EnumValue[]): Operand {
    if (it.kind === 'literal') return { ...it, text: this.#value(it.text, values) };
    if (it.kind === 'now') return it;
    return { ...it, path: this.#path(it.path, getModel('User', this.#before)) };
  }

  #valuesOf(model: Model, name: string | undefined): readonly EnumValue[] {
    const field = findField(model, name);
    return field ? listEnumValues(field, this.#before) : [];
  }

  #value(name: string, values: readonly EnumValue[] = []): string {
    return this.#called(
      name,
      values.find(({ value }) => value === name),
    );
  }

  #path(path: readonly string[], of: Model): readonly string[] {
    const models = this.#along(path, of);
    return path.map((name, index) => this.member(name, models[index] ?? of));
  }

  /** The model, and the models along a path of relations. */
  #along([name, ...others]: readonly string[], of: Model): readonly Model[] {
    const target = findToOne(of, name)?.target;
    return [of, ...(target ? this.#along(others, getModel(target, this.#before)) : [])];
  }

  #called(name: string, former: { readonly id: string } | undefined): string {
    return this.#names.get(former?.id ?? '') ?? name;
  }

  #order(one: string, other: string): number {
    const names = [...this.#names.values()];
    return names.indexOf(one) - names.indexOf(other) || (one < other ? -1 : 1);
  }
}
