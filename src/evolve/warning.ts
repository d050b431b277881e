/** What is told of the history, and stops nothing. */
export interface Warning {
  readonly code: 'SCF514';
  readonly message: string;
  readonly help: string;
}
