import { Component, lazy, Suspense, type ComponentType } from 'react';
import { canCall, useMay, useUser } from '#ui';

// The phone is fetched beside the page, never before it. It is a separate feature: without it the slot stays empty.
const found = Object.values(import.meta.glob<{ PhoneDock?: ComponentType; default?: ComponentType }>('../features/calls/PhoneDock.tsx'))[0];
const Dock = found ? lazy(async () => { const phone = await found(); return { default: phone.PhoneDock ?? phone.default ?? (() => null) }; }) : null;

/** The in-app phone at the foot of the rail, for those who can call (A §1). */
export function PhoneSlot() {
  const user = useUser();
  const mayCall = useMay('calling.use');
  if (!Dock || !mayCall || !canCall(user)) return null;
  return <Contained><Suspense fallback={null}><Dock /></Suspense></Contained>;
}

/** A phone that breaks must not take the screen with it. */
class Contained extends Component<{ children: React.ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } { return { broken: true }; }
  override render(): React.ReactNode { return this.state.broken ? null : this.props.children; }
}
