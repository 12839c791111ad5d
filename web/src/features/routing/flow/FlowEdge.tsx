import {
  BaseEdge,
  EdgeLabelRenderer,
  getSmoothStepPath,
  type Edge,
  Position,
  type EdgeProps,
} from '@xyflow/react';
import css from './Canvas.module.css';

export type FlowEdge = Edge<
  { isLit: boolean; isDropTarget: boolean; labelAt: { x: number; y: number } },
  'link'
>;

/** Horizontal parts run this far below a step, clear of the label above the next one. */
const elbowDistance = 12;

/** A link between two steps; its label is placed by the layout so that no two overlap. */
export function FlowEdgeView({
  id,
  sourceX,
  sourceY,
  sourcePosition,
  targetX,
  targetY,
  targetPosition,
  label,
  selected,
  data,
}: EdgeProps<FlowEdge>) {
  const [path] = getSmoothStepPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX,
    targetY,
    targetPosition,
    borderRadius: 8,
    offset: elbowDistance,
    ...(sourcePosition === Position.Bottom && { centerY: sourceY + elbowDistance }),
  });
  const { x, y } = data?.labelAt ?? { x: 0, y: 0 };
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={24} />
      {label && (
        <EdgeLabelRenderer>
          <div
            className={css.label}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            data-lit={data?.isLit || undefined}
            data-selected={selected || data?.isDropTarget || undefined}
          >
            {label}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
