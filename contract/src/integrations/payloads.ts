import { z } from 'zod';
import { id } from '../schemas.ts';

/** A destination was added, changed or removed, or what became of its deliveries. */
export const integrationsChanged = z.object({ companyId: id, provider: z.string() });
