import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A person was deactivated in a company or removed from it: what they hold there ends. */
export const userAccessEnded = event<typeof payloads.userAccessEnded>({
  name: 'user.access_ended',
  channel: null,
});

export const ownershipTransferChanged = event<typeof payloads.ownershipTransferChanged>({
  name: 'ownership_transfer.changed',
  channel: 'companies',
  invalidates: ['getOwnershipTransfer', 'listCompanyUsers', 'getCompanyUser'],
});
