import { z } from 'zod';
import { id } from '../../schemas.ts';

export const teamChanged = z.object({ companyId: id, teamId: id });
