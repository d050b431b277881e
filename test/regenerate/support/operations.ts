import { z } from 'zod';

const place = z.string();

/** What a case does to a project; small, so that another text of a template seldom makes it stale. */
const shapes = {
  /** Wherever it is; it has to exist. */
  replace: z.strictObject({ in: place, find: z.string(), by: z.string() }),
  /** Behind or before the lines that are there. */
  append: z.strictObject({ to: place, text: z.string() }),
  prepend: z.strictObject({ to: place, text: z.string() }),
  write: z.strictObject({ file: place, text: z.string() }),
  /** As a fresh project of the schema of the run has it. */
  take: place,
  delete: place,
  move: z.strictObject({ from: place, to: place }),
  /** With the imports of all files, as editors do: old path → new path; of a folder with `/` at its end. */
  move_code: z.record(place, place),
  /** By prettier, every file whose path starts so. */
  reformat: z.strictObject({ below: place, with: z.record(z.string(), z.unknown()) }),
  line_ends: z.strictObject({ in: place, as: z.enum(['windows', 'mixed']) }),
  byte_order_mark: place,
  no_final_line_end: place,
  chmod: z.strictObject({ file: place, mode: z.enum(['644', '755']) }),
  link: z.strictObject({ file: place, to: place }),
  folder: place,
};

const operation = z.union(
  Object.entries(shapes).map(([name, shape]) => z.strictObject({ [name]: shape })),
);

export type Operation = { [Name in keyof typeof shapes]?: z.infer<(typeof shapes)[Name]> };

export const operations = z.array(operation);
