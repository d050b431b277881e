/** How many versions `evolve/layouts.ts` holds: what a new project gets. */
export const latestLayout = 1;
