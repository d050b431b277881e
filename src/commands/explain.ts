import { exitCode, UserError, type ExitCode } from '../errors.ts';
import { hazardCodes } from '../evolve/hazards/hazard.ts';
import { codes as schemaCodes, type Explanation } from '../schema/codes.ts';
import { report, type Session } from '../terminal/report.ts';

/** The long form of an error. */
export async function runExplain(session: Session, asked: string): Promise<ExitCode> {
  const code = asked.toUpperCase();
  const explanation = new Map(Object.entries({ ...codes, ...schemaCodes, ...hazardCodes })).get(
    code,
  );
  if (!explanation) {
    throw new UserError('SCF001', `There is no error \`${asked}\`.`, {
      exit: exitCode.usage,
      help: 'Codes look like `SCF201`; docs/errors.md lists them all.',
    });
  }
  const { style } = session.terminal.out;
  const { title, explanation: meaning, bad, good } = explanation;
  const text = [
    `${style.strong(code)}  ${title}`,
    meaning,
    `${style.bad('Instead of')}\n\n${indent(bad)}`,
    `${style.good('write')}\n\n${indent(good)}`,
  ];
  return report(session, {
    exit: exitCode.done,
    text: `${text.join('\n\n')}\n`,
    data: { explanation: { code, ...explanation } },
  });
}

const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, '  ');

/** What can go wrong around a schema: usage (0xx), a project and its history (5xx) and the machine (6xx). The schema's own codes are in `schema/codes.ts`. */
export const codes: Readonly<Record<string, Explanation>> = {
  SCF000: {
    title: 'Cancelled',
    explanation:
      'The run was stopped by Ctrl-C or a signal. An unfinished project is removed again; what was in the folder before stays.',
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
    explanation: 'The schema file, or the folder with one, does not exist or cannot be read.',
    bad: 'scaffold new my-api --schema modles.yaml',
    good: 'scaffold new my-api --schema models.yaml',
  },
  SCF004: {
    title: 'The schema file is not text',
    explanation: 'Schema files are UTF-8. This one has bytes that are not.',
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
    title: 'The schema leads to file names that are not allowed',
    explanation:
      'Two models would write the same file (on some disks upper and lower case are one), or a name is not allowed on every system.',
    bad: 'models: { Post: …, POST: … }',
    good: 'models: { Post: …, Article: … }',
  },
  SCF501: {
    title: 'A file in `.scaffold/` is damaged',
    explanation:
      'The files in `.scaffold/` record what was made last. One of them is not as scaffold writes it: it was edited by hand, or merged by git line by line. Take all of them from one branch and run `regenerate` again: an older state is always safe.',
    bad: 'scaffold regenerate        # .scaffold/lock.json with conflict markers of git',
    good: 'git checkout --ours .scaffold && scaffold regenerate',
  },
  SCF502: {
    title: 'The project is behind its schema',
    explanation:
      'What the schema (or this version of scaffold) makes now differs from what was made last. The files are listed; your own edits do not count.',
    bad: 'scaffold check my-api      # after an edit of schema.yaml',
    good: 'scaffold regenerate my-api',
  },
  SCF503: {
    title: 'This is not a scaffold project',
    explanation:
      'A project is a folder with `.scaffold/lock.json`, which `scaffold new` writes. Without it, scaffold cannot tell what it made from what you wrote.',
    bad: 'scaffold regenerate        # in a folder that `scaffold new` did not make',
    good: 'scaffold regenerate my-api',
  },
  SCF504: {
    title: 'The project was made by a newer scaffold',
    explanation:
      'An older version does not know what a newer one wrote, and would undo parts of it.',
    bad: 'scaffold regenerate my-api     # version 1.2.0, where 1.4.0 ran last',
    good: 'scaffold regenerate my-api     # version 1.4.0, or a newer one',
  },
  SCF505: {
    title: 'Another run is under way',
    explanation:
      'Two runs at once would overwrite each other, so the second stops before it reads anything. Once that process has ended, the next run just works.',
    bad: 'scaffold regenerate & scaffold regenerate',
    good: 'scaffold regenerate',
  },
  SCF506: {
    title: 'Conflicts of an earlier run are open',
    explanation:
      'You and the schema changed the same lines, and nobody has yet said which to take. Another run on top would mix the two. `scaffold resolve` lists them; edit the places and pass `--edited`, or take a side; or undo the whole run with `scaffold regenerate --undo`.',
    bad: 'scaffold regenerate        # with `<<<<<<< yours` in a file',
    good: 'scaffold resolve src/posts/policy.ts --edited && scaffold regenerate',
  },
  SCF507: {
    title: 'You and the schema changed the same lines',
    explanation:
      'The file holds both, between markers that name the part of the schema. Everything else is written. Edit the place and run `scaffold resolve <file> --edited`, or take a side with `--ours` or `--theirs`.',
    bad: '<<<<<<< yours … ||||||| base … ======= … >>>>>>> scaffold (Post.title)',
    good: 'scaffold resolve src/posts/policy.ts --ours',
  },
  SCF508: {
    title: 'Your code uses something that the schema changed',
    explanation:
      'The files were merged without conflict, but the type check has an error that it did not have before: your code still uses a name that was renamed or removed. `--codemod` renames your uses of what the schema renamed.',
    bad: 'return row.title;          // the field is now `heading`',
    good: 'scaffold regenerate --codemod',
  },
  SCF509: {
    title: 'Renamed, or dropped?',
    explanation:
      'Something is gone from the schema and something like it is new. A rename keeps the data and a drop deletes it, and a schema file does not show which is meant. Say so: `was:` in the schema, `--rename` for this run, or `--accept` if the data may go.',
    bad: 'heading: string(3..160)    # was called `title` until now',
    good: 'scaffold regenerate --rename Post.title=heading',
  },
  SCF510: {
    title: 'There is nothing to undo',
    explanation:
      'The last run that wrote something can be undone once. It was already undone, or there was no run in this checkout: what `--undo` needs is not committed.',
    bad: 'scaffold regenerate --undo # for the second time',
    good: 'git revert HEAD            # for a run that is committed',
  },
  SCF511: {
    title: 'Edited since, so it cannot be undone',
    explanation:
      '`--undo` restores files to the state before the last run. One of them has been edited since, and that edit would be lost. A run is undone as a whole or not at all.',
    bad: 'scaffold regenerate --undo # after an edit of src/posts/queries.ts',
    good: 'git stash -- src/posts/queries.ts && scaffold regenerate --undo && git stash pop',
  },
  SCF512: {
    title: 'An interrupted run was repaired',
    explanation:
      'An earlier run ended in the middle of writing (a crash, an empty battery, a full disk). This one first brought the project to the state before or after that run; the message says which.',
    bad: '(the power fails while files are being written)',
    good: 'scaffold regenerate        # finishes or undoes it, then continues',
  },
  SCF513: {
    title: 'A file cannot be written there',
    explanation:
      'Where the run would write a file there is a symbolic link, a folder or something read-only, or the path leads out of the project. scaffold writes to none of these.',
    bad: 'ln -s ~/shared/queries.ts src/posts/queries.ts && scaffold regenerate',
    good: 'cp ~/shared/queries.ts src/posts/queries.ts && scaffold regenerate',
  },
  SCF514: {
    title: 'Two branches both added a migration',
    explanation:
      'Both migrations follow the same one, so databases would not know which to apply first. `scaffold regenerate` puts one after the other, and a database that has applied either gets the other. As a warning: a migration is gone, or one stays as it is although the schema has since said what its rows get.',
    bad: 'npm run db:migrate         # after a merge of two branches with migrations',
    good: 'scaffold regenerate && npm run db:migrate',
  },
  SCF515: {
    title: 'The database is not what the migrations make',
    explanation:
      'A table, a column, an index or a constraint is missing or different from what the applied migrations made: somebody changed the database by hand, or edited a migration after it was applied. scaffold never offers to reset a database: restore what is named, or write it into the schema.',
    bad: 'ALTER TABLE posts DROP COLUMN title;   -- by hand',
    good: 'scaffold regenerate        # the field removed from schema.yaml, as a migration',
  },
  SCF516: {
    title: 'Nothing has that name',
    explanation:
      '`--only` takes a model of the schema or a pattern of paths, `--restore` a file that scaffold made and you deleted, `resolve` a file with an open conflict, `--accept` a loss or a risk of this run.',
    bad: 'scaffold regenerate --only Pots',
    good: 'scaffold regenerate --only Post',
  },
  SCF517: {
    title: 'Moved, or deleted?',
    explanation:
      'A file that scaffold made is gone, and other files have what it exported. If you moved it, schema changes have to reach it there; if you deleted it, the copies elsewhere are yours alone. Where that is unclear, nothing is recorded until you say which.',
    bad: 'git mv src/lib/reply.ts src/http/reply.ts   # and half of it written again',
    good: 'scaffold regenerate --moved src/lib/reply.ts=src/http/reply.ts',
  },
  SCF518: {
    title: 'Who may do what changes',
    explanation:
      'The schema, or a new default where the schema says nothing, changes who may do things. The defaults allow less than in 0.1.0: only admins change what has no owner. And rows show the `name` of the user that they lead to. Say under `access:` and `embed:` what should stay as it was.',
    bad: 'models:\n  Tag:\n    fields: { name: string }',
    good: 'models:\n  Tag:\n    fields: { name: string }\n    access: { create: authenticated, update: authenticated, delete: authenticated }',
  },
  SCF601: {
    title: 'This version of Node is not supported',
    explanation: 'scaffold runs on Node 20.19 or newer 20, 22.13 or newer 22, and 24 and up.',
    bad: 'node --version             # v18.20.8',
    good: 'node --version             # v24.11.0',
  },
  SCF602: {
    title: 'The dependencies could not be installed',
    explanation:
      'The package manager failed; its last lines are shown. The project itself is complete: fix the problem (often the network) and install again.',
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
      'The project is complete, but its development server ended or did not answer within a minute. Its output says why.',
    bad: 'scaffold new my-api --start',
    good: 'cd my-api && npm run dev',
  },
  SCF605: {
    title: 'The first commit was not made',
    explanation: 'The project is complete; `git init`, `git add` or `git commit` failed in it.',
    bad: 'scaffold new my-api        # where git may not write',
    good: 'scaffold new my-api --no-git',
  },
  SCF999: {
    title: 'A bug in scaffold',
    explanation:
      'scaffold reached a state that should be impossible. A log was saved; please report it together with the schema.',
    bad: '(any command)',
    good: '(the same command in a version where it is fixed)',
  },
};
