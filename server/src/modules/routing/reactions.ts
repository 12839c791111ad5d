import { calls, forwarding, templates } from '#contract';
import { on } from '../../platform/relay.ts';
import { followContact, replaceForwardContact } from './follow-contact.ts';
import { mailAboutCall } from './mail-about-call.ts';
import { routeByTemplate } from './route-new-number.ts';

export const reactions = [
  on(forwarding.forwardContactChanged, 'followContact', followContact),
  on(templates.templateApplied, 'routeByTemplate', routeByTemplate),
  on(forwarding.forwardContactDeleted, 'replaceForwardContact', replaceForwardContact),
  on(calls.callEnded, 'mailAboutCall', mailAboutCall),
];
