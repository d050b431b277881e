import type { Explanation } from '../schema/codes.ts';

/** What can go wrong around a schema: usage (0xx) and the machine (6xx). The schema's own codes are in `schema/codes.ts`. */
export const codes: Readonly<Record<string, Explanation>> = {
  SCF000: {
    title: 'Cancelled',
    explanation:
      'The run was ended by Ctrl-C or a signal. A project that was not complete yet is removed again; what was in the folder before stays.',
    bad: 'scaffold new my-api        # Ctrl-C during the install',
    good: 'scaffold new my-api',
  },
  SCF001: {
    title: 'The command line is not understood',
    explanation:
      'A command or an option does not exist, has a value that is not allowed, or contradicts another one. Nothing is guessed.',
    bad: 'scaffold new my-api --exmaple blog',
    good: 'scaffold new my-api --example blog',
  },
  SCF002: {
    title: 'An answer is needed and nobody can be asked',
    explanation:
      'Questions are asked on a terminal only, and only when no option was given. Elsewhere the folder must be named; `--yes` takes the default answers.',
    bad: 'scaffold new < /dev/null',
    good: 'scaffold new my-api < /dev/null',
  },
  SCF003: {
    title: 'A file or project cannot be read',
    explanation: 'The schema file, or the folder with one, is not there or may not be read.',
    bad: 'scaffold new my-api --schema modles.yaml',
    good: 'scaffold new my-api --schema models.yaml',
  },
  SCF004: {
    title: 'The schema file is not text',
    explanation: 'Schema files are UTF-8. This one holds bytes that are not.',
    bad: 'iconv -t UTF-16 models.yaml | scaffold new my-api --schema -',
    good: 'scaffold new my-api --schema models.yaml',
  },
  SCF005: {
    title: '`--database` could not be written into the schema',
    explanation:
      'The option sets `database:` in the schema that the project keeps. This file is written in a way that cannot be edited without changing more.',
    bad: 'scaffold new my-api --schema unusual.yaml --database postgres',
    good: 'database: postgres         # in the schema itself',
  },
  SCF006: {
    title: 'Something is in the way',
    explanation:
      '`scaffold new` makes a new folder or fills an empty one. `--force` also takes a folder with other files in it; a file of the project that is there already is never replaced.',
    bad: 'scaffold new .             # where there is a package.json',
    good: 'scaffold new my-api',
  },
  SCF007: {
    title: 'The schema leads to file names that cannot be',
    explanation:
      'Two models would write the same file (on some disks upper and lower case are one), or a name is none that every system allows.',
    bad: 'models: { Post: …, POST: … }',
    good: 'models: { Post: …, Article: … }',
  },
  SCF502: {
    title: 'The project is behind its schema',
    explanation:
      'What the schema (or this version of scaffold) makes now differs from what was made last. The files are listed; edits of your own do not count.',
    bad: 'scaffold check my-api      # after an edit of schema.yaml',
    good: 'scaffold check my-api      # schema.yaml as it was',
  },
  SCF601: {
    title: 'Node is too old',
    explanation: 'scaffold runs on Node 20.19 or newer 20, 22.13 or newer 22, and 24 and up.',
    bad: 'node --version             # v18.20.8',
    good: 'node --version             # v24.11.0',
  },
  SCF602: {
    title: 'The dependencies could not be installed',
    explanation:
      'The package manager failed; its last lines are shown. The project is complete without them: mend the cause (often the network) and install again.',
    bad: 'scaffold new my-api        # without a network',
    good: 'scaffold new my-api --no-install',
  },
  SCF603: {
    title: 'The system refused',
    explanation:
      'A file could not be read or written: permissions, a full or read-only disk, a name too long.',
    bad: 'scaffold new /my-api       # as a user who may not write there',
    good: 'scaffold new ~/my-api',
  },
  SCF604: {
    title: 'The server did not start',
    explanation:
      'The project is complete, and its development server ended or did not answer within a minute. Its own output says why.',
    bad: 'scaffold new my-api --start',
    good: 'cd my-api && npm run dev',
  },
  SCF605: {
    title: 'git made no commit',
    explanation: 'The project is complete; `git init`, `git add` or `git commit` failed in it.',
    bad: 'scaffold new my-api        # where git may not write',
    good: 'scaffold new my-api --no-git',
  },
  SCF999: {
    title: 'A mistake of scaffold',
    explanation:
      'The program came into a state that its own rules exclude. A log was saved; please report it together with the schema.',
    bad: '(any command)',
    good: '(the same command in a version in which it is mended)',
  },
};
