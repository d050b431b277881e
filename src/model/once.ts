import type { App, Model } from './app.ts';

/** Answers a question about a model once for each app: the views of many files ask the same. */
export function oncePerModel<T>(
  answer: (model: Model, app: App) => T,
): (model: Model, app: App) => T {
  const known = new WeakMap<App, Map<Model, { readonly value: T }>>();
  return (model, app) => {
    const ofApp = known.get(app) ?? new Map<Model, { readonly value: T }>();
    known.set(app, ofApp);
    const found = ofApp.get(model) ?? { value: answer(model, app) };
    ofApp.set(model, found);
    return found.value;
  };
}
