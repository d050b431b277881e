import { oncePer } from '../remember.ts';
import type { App, Model } from './app.ts';

/** Computes a fact about a model once for each app, since the views of many files need the same. */
export function oncePerModel<T>(answer: (model: Model, app: App) => T) {
  const ofApp = oncePer((app: App) => oncePer((model: Model) => answer(model, app)));
  return (model: Model, app: App): T => ofApp(app)(model);
}
