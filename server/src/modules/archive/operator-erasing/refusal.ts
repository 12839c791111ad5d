/** Why an operator's erasure or hold was not carried out, and what to do; nothing was changed. */
export class ErasureRefusal extends Error {}
