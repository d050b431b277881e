/** The keyword of the schemas below, for Ajv. */
export const asSent = 'x-as-sent';

/**
 * Parameters that their handler reads itself, more strictly than a schema can say: in the schema they are
 * documentation, and they arrive as the texts that were sent.
 */
export function parametersAsSent(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false, [asSent]: true };
}

/** A body that is checked, and has no defaults filled in: whoever stores it knows what the client has sent. */
export function bodyAsSent<Schema extends object>(schema: Schema): Schema {
  return { ...schema, [asSent]: true };
}
