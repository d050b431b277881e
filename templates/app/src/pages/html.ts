/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Part[];

/** A template in which every value is escaped that is not HTML itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = strings.map((text, index) => text + textOf(values[index] ?? ''));
  return { html: parts.join('') };
}

function textOf(part: Part): string {
  if (typeof part === 'string')
    return part.replaceAll(/[&<>"']/g, (it) => `&#${it.codePointAt(0)};`);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(textOf).join('');
}
