import { calls, forwarding } from '#contract';
import { on } from '../../platform/relay.ts';
import { followContact, replaceForwardContact } from './follow-contact.ts';
import { mailAboutCall } from './mail-about-call.ts';

export const reactions = [
  on(forwarding.forwardContactChanged, 'followContact', followContact),
  on(forwarding.forwardContactDeleted, 'replaceForwardContact', replaceForwardContact),
  on(calls.callEnded, 'mailAboutCall', mailAboutCall),
];
