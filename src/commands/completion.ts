import { exitCode, type ExitCode } from '../errors.ts';
import { report, type Session } from '../terminal/report.ts';

/** The program as the shell sees it. */
export interface CommandTree {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** For each argument, the words that it may be; none when it may be anything. */
  readonly arguments: readonly (readonly string[])[];
  readonly commands: readonly CommandTree[];
}

interface OptionWords {
  readonly flags: readonly string[];
  readonly description: string;
  readonly values: readonly string[];
}

type Shell = 'bash' | 'zsh' | 'fish';

const printers: Readonly<Record<Shell, (tree: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function runCompletion(
  session: Session,
  shell: Shell,
  tree: CommandTree,
): Promise<ExitCode> {
  const script = printers[shell](tree);
  return report(session, { exit: exitCode.done, text: script, data: { script } });
}

/** `source <(scaffold completion bash)` */
function bashScript(tree: CommandTree): string {
  const cases = [
    ...tree.commands.flatMap((command) => valueCases(command)),
    ...tree.commands.map(
      (command) => `    ${patternOf(command, '*')}) words="${wordsOf(tree, command)}" ;;`,
    ),
  ];
  return `_scaffold() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "\${COMP_WORDS[1]} $previous" in
${cases.join('\n')}
    *) words="${wordsOf(tree)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _scaffold scaffold
`;
}

function valueCases(command: CommandTree): string[] {
  return command.options
    .filter(({ values }) => values.length > 0)
    .map(
      ({ flags, values }) =>
        `    ${patternOf(command, flags.at(-1) ?? '')}) words="${values.join(' ')}" ;;`,
    );
}

/** Of a `case`: the command under each of its names, and the word before the one that is completed. */
function patternOf({ name, aliases }: CommandTree, previous: string): string {
  return [name, ...aliases].map((it) => `${it}\\ ${previous}`).join(' | ');
}

function wordsOf(tree: CommandTree, command?: CommandTree): string {
  const own = command ? command.arguments.flat() : tree.commands.map(({ name }) => name);
  const options = [...(command?.options ?? []), ...tree.options].flatMap(({ flags }) => flags);
  return [...own, ...options].join(' ');
}

/** zsh reads bash's form. */
function zshScript(tree: CommandTree): string {
  return `#compdef scaffold\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(tree)}`;
}

/** `scaffold completion fish | source` */
function fishScript(tree: CommandTree): string {
  const commands = tree.commands.map(
    ({ name, description }) =>
      `complete -c scaffold -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
  );
  const own = tree.commands.flatMap((command) => {
    const within = `complete -c scaffold -n '__fish_seen_subcommand_from ${[command.name, ...command.aliases].join(' ')}'`;
    const words = command.arguments.flat();
    return [
      ...(words.length > 0 ? [`${within} -f -a '${words.join(' ')}'`] : []),
      ...command.options.map((option) => `${within} ${fishOption(option)}`),
    ];
  });
  const everywhere = tree.options.map((option) => `complete -c scaffold ${fishOption(option)}`);
  return `${[...commands, ...own, ...everywhere].join('\n')}\n`;
}

function fishOption({ flags, description, values }: OptionWords): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const choices = values.length > 0 ? [`-x -a '${values.join(' ')}'`] : [];
  return [...names, ...choices, `-d ${quote(description)}`].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
