import { stringify } from 'yaml';

/** Each would break out of some place where a text of the schema goes, and would then do something. */
const hostileTexts: readonly string[] = [
  `'); process.exit(66); ('`,
  `"); process.exit(66); ("`,
  '`); process.exit(66); (`',
  '${process.exit(66)}',
  '*/ process.exit(66) /*',
  '// -->\n process.exit(66)',
  '{{process}} {{{process}}} {{#each this}}{{/each}} {{> generated}}',
  '</script><script>process.exit(66)</script>',
  `'; DROP TABLE users; --`,
  `$$; DROP TABLE users; $$`,
  '- a: &b *c\n? !!js/function >\n  process.exit(66)',
  '# heading\n\n```sh\nrm -rf var\n```\n| a | b |',
  '$(touch canary) `touch canary` && touch canary ; touch canary | touch canary > canary',
  'PATH=/nowhere\nNODE_OPTIONS=--require=./canary',
  'FROM scratch\nRUN touch canary',
  '\\u0027 \\x27 \\n \\\\ \\',
  '\u2028process.exit(66)\u2029',
  '<!-- [a](javascript:alert(1)) ![b](c) --> <b>',
  '%s %d %n \u202e \u00a0',
  '__proto__',
];

export type Say = (place: string) => string;

/** One text in every position of a schema that takes free text; `say` decides which. */
export function schemaOf(say: Say, database: 'sqlite' | 'postgres'): string {
  const values = hostileTexts.map((_, at) => say(`value ${at}`));
  return stringify({
    version: 1,
    app: { name: 'letterbox', description: say('app') },
    database,
    'x-label': say('label of the app'),
    enums: {
      Mood: Object.fromEntries(values.map((value, at) => [value, say(`meaning ${at}`)])),
      Tone: values,
    },
    models: {
      User: {
        fields: {
          motto: { type: 'text', optional: true, description: say('motto') },
          // In the commands that the README has for a first account.
          saying: { type: 'json', example: { [say('key of a saying')]: [say('saying')] } },
        },
      },
      Letter: {
        description: say('model'),
        'x-label': say('label of the model'),
        fields: {
          subject: {
            type: 'string',
            max: 2000,
            default: say('default'),
            description: say('field'),
            example: say('example'),
            'x-label': { [say('key of a label')]: say('label of a field') },
          },
          body: {
            type: 'text',
            default: say('default of text'),
            description: say('another field'),
          },
          mood: { type: 'Mood', default: values[0], example: values[1], description: say('mood') },
          tone: { type: 'Tone', optional: true, default: values.at(-1) },
          extra: {
            type: 'json',
            default: { [say('key')]: [say('item')] },
            description: say('extra'),
          },
        },
        relations: { sender: { to: 'User', description: say('relation') } },
        access: { read: 'public' },
      },
    },
  });
}

/** Every place has another text; an enum's values are single lines and differ from each other. */
export function hostile(place: string): string {
  const at = Number(/\d+$/.exec(place)?.[0] ?? place.length);
  if (place.startsWith('value')) return (hostileTexts[at] ?? '').replaceAll('\n', ' ');
  return [...hostileTexts.slice(at), ...hostileTexts.slice(0, at)].join(' ');
}
