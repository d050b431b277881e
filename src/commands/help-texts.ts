/** Texts that `--help` adds to the lists of commands and options. */
export const rootHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new my-api --example blog --start       make, install and start a project
  scaffold regenerate my-api                       bring the edited schema into the project
  scaffold check my-api                            check the schema, and that the project follows it

Exit statuses:
  0 done   1 our bug   2 usage   3 schema invalid   4 conflicts open
  5 behind the schema   6 environment   7 a decision is needed   130 cancelled
`;

export const newHelp = `
Examples:
  scaffold new                                     ask two questions, then go
  scaffold new shop --example shop --start         no question; install and start
  scaffold new shop --schema models.yaml --database postgres --pm pnpm
  cat models.yaml | scaffold new shop --schema - --no-install --json

Without a terminal, or with any option, nothing is asked: name a folder; everything else has a default.
`;

export const regenerateHelp = `
Examples:
  scaffold regenerate --diff                       look first
  scaffold regenerate --rename Post.title=heading --name headings
  scaffold regenerate my-api --accept SCF412:Post.subtitle --json
  scaffold regenerate --undo                       undo the last run

--rename, --accept, --moved and --restore may be given more than once.
`;

export const resolveHelp = `
Examples:
  scaffold resolve                                 list them; exit status 4 while one is open
  scaffold resolve src/posts/policy.ts --edited    keep the file as you edited it
  scaffold resolve --ours                          take your lines everywhere
`;
