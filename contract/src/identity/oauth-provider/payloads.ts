import { z } from 'zod';
import { id } from '../../schemas.ts';

export const authorizationChanged = z.object({ userId: id, authorizationId: id });

export const oauthClientChanged = z.object({ clientId: id });

export const companyAuthorizationsChanged = z.object({ companyId: id });
