import { capitalized, spacedWords } from '../../../naming/name.ts';
import { columnRules } from './column-rules.ts';
import { sentenceRules } from './sentence-rules.ts';
import { thingRules } from './things.ts';
import { drawing, findMatch, phrase, type Topic, type Wording } from './wording.ts';

const qualities = 'First|Second|Third|New|Old|Main|Short|Long|Small|Large';

/** How to draw a text, by the name of its column. A short text is not a sentence. */
export function wordsFor(name: string, topic: Topic, max: number): Wording {
  const words = spacedWords(name);
  const short = words.replace('language', 'locale').replace(/\bcountry$/, 'country code');
  const long = max > 20 ? findMatch(sentenceRules, words, topic) : undefined;
  const own = long ?? findMatch(columnRules, max <= 5 ? short : words, topic);
  if (own !== undefined) return own;
  const owner = words.replace(/ ?\b(name|title|subtitle|headline|subject|caption)$/, '');
  const other = findMatch(thingRules, owner, { about: owner, domain: topic.domain });
  if (other !== undefined) return other;
  if (owner === words && max > 255) return drawing('sentence', topic.about);
  if (owner === words) return phrase(`${capitalized(words)} {{number.int(99)}}`);
  return findMatch(thingRules, topic.about, topic) ?? phrase(qualities, topic.about);
}
