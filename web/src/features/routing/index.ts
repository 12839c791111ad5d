/** What other features may import from this one. */
export { RouteEditor } from './RouteEditor.tsx';
export { ScheduleEditor } from './ScheduleEditor.tsx';
