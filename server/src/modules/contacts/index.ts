export { answers } from './routes.ts';
export { reactions } from './reactions.ts';
export { findOrMakeContact, findOrMakeContacts } from './find-or-make-contact.ts';
export { contactsById, contactsByNumber, owns, type ContactRow } from './store.ts';
export { briefContact, masked } from './present.ts';
