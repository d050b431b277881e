import type { App, Enum } from '../../model/app.ts';
import { code } from '../code.ts';
import { tsValue } from '../typescript.ts';

/** What `src/enums.ts` prints. */
export function enumsView(app: App) {
  return { enums: app.enums.map(enumView) };
}

function enumView({ name, values }: Enum) {
  const notes = values.flatMap(({ value, description }) =>
    description === undefined ? [] : [`\`${value}\`: ${description}`],
  );
  return { name, note: notes.join(' '), values: code(tsValue(values.map(({ value }) => value))) };
}
