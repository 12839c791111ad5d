/** SIP methods this server supports, as the Allow header lists them. */
export const allowedMethods = 'INVITE, ACK, CANCEL, BYE, OPTIONS, REGISTER, INFO, REFER';

/** Methods answered with 405 when unsupported; any other is answered with 501. */
export const knownMethods = new Set([
  'INVITE',
  'ACK',
  'CANCEL',
  'BYE',
  'OPTIONS',
  'REGISTER',
  'INFO',
  'REFER',
  'SUBSCRIBE',
  'NOTIFY',
  'PUBLISH',
  'MESSAGE',
  'UPDATE',
  'PRACK',
]);
