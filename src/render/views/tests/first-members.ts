import { type App, type Model } from '../../../model/app.ts';
import { code, type Code, tsValue } from '../../typescript.ts';
import { givenBy } from '../members.ts';
import { answerTo, isAsked, ofRows } from './access-table.ts';

/** What the creator of a row may do with it as its first member, whatever their role: `{ read: 200, update: 200 }`. */
export function firstAnswers(model: Model, app: App): Code | undefined {
  const [first, ...others] = (model.members ?? []).filter((kind) => kind.first !== undefined);
  const isOfMembers = givenBy(model, app).length > 0;
  if (first === undefined || others.length > 0 || isOfMembers || !isAsked('create', model))
    return undefined;
  const role = first.role && first.first?.[first.role];
  const standing = {
    kind: 'members',
    word: first.word,
    role: role === undefined ? undefined : String(role),
  } as const;
  const answers = ofRows.flatMap((operation) => {
    const asked = { visitor: 'any role', standing, operation, model, app };
    const answer = isAsked(operation, model) ? answerTo(asked) : undefined;
    return answer === 200 || answer === 204 ? [[operation, answer]] : [];
  });
  return answers.length === 0 ? undefined : code(tsValue(Object.fromEntries(answers)));
}
