import { rememberPer } from '../remember.ts';
import type { App, Model } from './app.ts';

/** Remembers the answer for each model of an app, since the views of many files need it. */
export function rememberPerModel<T>(answer: (model: Model, app: App) => T) {
  const ofApp = rememberPer((app: App) => rememberPer((model: Model) => answer(model, app)));
  return (model: Model, app: App): T => ofApp(app)(model);
}
