import { z } from 'zod';
import { id } from '../../schemas.ts';

export const columnPresetsChanged = z.object({ companyId: id, presetId: id });
