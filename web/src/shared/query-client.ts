import { createQueryClient } from '#ui';

/** The one cache of answers. Forgotten at log-out. */
export const cache = createQueryClient();
