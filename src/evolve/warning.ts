/** What is reported of the history, and stops nothing. */
export interface Warning {
  readonly code: 'SCF514';
  readonly message: string;
  readonly help: string;
}
