import { z } from 'zod';
import { id } from '../schemas.ts';

export const notificationBlocksChanged = z.object({ companyId: id });

export const notificationSettingsChanged = z.object({ companyId: id });
