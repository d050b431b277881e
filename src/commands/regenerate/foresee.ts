import { acceptanceKey } from '../../evolve/hazards/hazard.ts';
import type { Project } from '../../project/read-project.ts';
import { planRegeneration, type Regeneration } from '../../project/regeneration.ts';
import type { Wish } from '../../project/wish.ts';

/** What a run would come to if every loss were agreed to; the questions about them stay open in it. */
export async function foresee(project: Project, wish: Wish): Promise<Regeneration> {
  const asked = await planRegeneration(project, wish);
  const { ambiguities, doubts, unaccepted } = asked;
  if (ambiguities.length + doubts.length > 0 || unaccepted.length === 0) return asked;
  const accepted = [...wish.accepted, ...unaccepted.map(acceptanceKey)];
  const meant = await planRegeneration(project, { ...wish, accepted });
  return { ...meant, unaccepted };
}
