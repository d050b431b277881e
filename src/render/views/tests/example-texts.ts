import { urls } from '../../../types/url.ts';
import type { SampleKind } from '../../../model/sample-kind.ts';

/** What a text of each kind may say; where more are needed, they are numbered. */
export const exampleTexts: Readonly<Record<SampleKind | 'sentence', readonly string[]>> = {
  firstName: ['Ann', 'Ben', 'Clara'],
  lastName: ['Archer', 'Baker', 'Cooper'],
  personName: ['Ann Archer', 'Ben Baker', 'Clara Cooper'],
  username: ['ann', 'ben', 'clara'],
  email: ['ann@example.test', 'ben@example.test', 'eve@example.test'],
  url: urls,
  slug: ['the-first-snow', 'a-quiet-harbour', 'the-old-fox'],
  phone: ['+31 20 555 0101', '+44 20 5550 1402', '+49 30 5550 1703'],
  city: ['Utrecht', 'Bristol', 'Leipzig'],
  country: ['Norway', 'Portugal', 'Austria'],
  street: ['12 Mill Lane', '7 Harbour Road', '31 Station Street'],
  postalCode: ['3511 AB', 'BS1 4DJ', '04109'],
  company: ['Harbour & Sons', 'North Mill', 'Old Fox Books'],
  colour: ['blue', 'green', 'amber'],
  language: ['en', 'nl', 'de'],
  currency: ['EUR', 'GBP', 'NOK'],
  identifier: ['AB-1204', 'CD-3377', 'EF-9051'],
  secret: ['open sesame', 'swordfish', 'plover'],
  version: ['1.2.0', '2.0.1', '3.4.5'],
  fileName: ['snow.jpg', 'harbour.jpg', 'fox.jpg'],
  word: ['winter', 'harbour', 'forest'],
  title: ['The first snow', 'A quiet harbour', 'The old fox'],
  paragraphs: ['It fell overnight.', 'No ship came in.', 'He knows the way.'],
  sentence: ['It fell overnight.', 'No ship came in.', 'He knows the way.'],
};
