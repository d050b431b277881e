/** How many versions `evolve/tables/layouts.ts` holds: what a new project gets. */
export const latestLayout = 2;
