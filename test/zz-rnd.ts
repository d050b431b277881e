import * as fc from 'fast-check';
import { emit } from '/work/wt/seeds/test/support/emit.ts';
import { misformatted } from '/work/wt/seeds/test/support/formatted.ts';
import { legalSchema } from '/work/wt/seeds/test/support/legal/schema.ts';
for (const [i, { text, file }] of fc.sample(legalSchema('sqlite'), { seed: Number(process.argv[2]), numRuns: Number(process.argv[3]) }).entries()) {
  const files = emit(text, file).filter(({path}) => path === 'src/database/seed.ts');
  const bad = await misformatted(files);
  if (i === 3) console.log(files[0]?.content); if (bad.length) { console.log(i, JSON.stringify(bad).slice(0, 3000)); }
}
