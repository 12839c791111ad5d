import { together } from '../../platform/answer.ts';
import { owns as accountOwns } from './accounts/store.ts';
import { answers as forwarding } from './forwarding/routes.ts';
import { owns as forwardingOwns } from './forwarding/store.ts';
import { answers as failover } from './failover/routes.ts';
import { owns as failoverOwns } from './failover/store.ts';
import { answers as marketplace } from './marketplace/routes.ts';
import { owns as marketplaceOwns } from './marketplace/store.ts';
import { answers as porting } from './porting/routes.ts';
import { owns as portOwns } from './porting/store.ts';
import { answers as numbers } from './routes.ts';
import { answers as templates } from './templates/routes.ts';
import { owns as templateOwns } from './templates/store.ts';
import { owns as timelineOwns } from './timeline/store.ts';
import { answers as triggers } from './triggers/routes.ts';
import { owns as triggerOwns } from './triggers/store.ts';
import { owns as numberOwns } from './store.ts';

export const answers = together(
  numbers,
  failover,
  forwarding,
  templates,
  triggers,
  porting,
  marketplace,
);
export const owns = [
  ...numberOwns,
  ...accountOwns,
  ...failoverOwns,
  ...forwardingOwns,
  ...templateOwns,
  ...timelineOwns,
  ...triggerOwns,
  ...portOwns,
  ...marketplaceOwns,
] as const;
export { reactions } from './reactions.ts';
export { whereContactsLead, type ContactTarget } from './forwarding/where-contacts-lead.ts';
export { answerRoutes, type RoutedLike } from './route-new.ts';
export { templateRoutes } from './templates/apply-template.ts';
export { noteNumberEvent } from './timeline/note-event.ts';
export { answerOfTrigger, triggersHeard } from './triggers/hear-keyword.ts';
export { jobs } from './jobs.ts';
export { changeNumber, setRoutingInShort } from './change-number.ts';
export { grantNumberLimit } from './limit.ts';
export { receivePorts } from './porting/inbound.ts';
export { lookAtCarriers } from './accounts/check-carriers.ts';
export { wayAround } from './failover/set-failover.ts';
export { installNumber } from './install-number.ts';
export { presentNumber, readNumber, type NumberInShort } from './read-number.ts';
export { numberCalled, numbersTexted, numberTexted, unreadChanged } from './traffic.ts';
export { directoryEntries, directoryEntry } from './store-holds.ts';
