import { capitalized, spaced } from '../../../naming/name.ts';
import { columns } from './columns.ts';
import { sentences } from './sentences.ts';
import { things } from './things.ts';
import { drawing, find, phrase, type Topic, type Wording } from './wording.ts';

const qualities = 'First|Second|Third|New|Old|Main|Short|Long|Small|Large';

/** The wording of a text, by the name of its column; a short one is not a sentence. */
export function wordsFor(name: string, topic: Topic, max: number): Wording {
  const words = spaced(name);
  const short = words.replace('language', 'locale').replace(/\bcountry$/, 'country code');
  const long = max > 20 ? find(sentences, words, topic) : undefined;
  const own = long ?? find(columns, max <= 5 ? short : words, topic);
  if (own !== undefined) return own;
  const owner = words.replace(/ ?\b(name|title|subtitle|headline|subject|caption)$/, '');
  const other = find(things, owner, { about: owner, domain: topic.domain });
  if (other !== undefined) return other;
  if (owner === words && max > 255) return drawing('sentence', topic.about);
  if (owner === words) return phrase(`${capitalized(words)} {{number.int(99)}}`);
  return find(things, topic.about, topic) ?? phrase(qualities, topic.about);
}
