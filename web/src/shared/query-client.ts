import { createQueryClient } from '#ui';

/** The query cache; cleared on sign-out. */
export const cache = createQueryClient();
