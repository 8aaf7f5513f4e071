/** Figures 1 and 2: accuracy and its spread against the number of Chebyshev moments, for DOS and for LDOS. */
import type { Conductor } from "./conductor.js";
import type { MomentsCurve } from "./types.js";

/** DOS may use many moments (the paper: 50 to 400); LDOS as many as RetGK has steps, and fewer. */
const STEPS = { dos: [2, 5, 10, 20, 50, 100, 200, 400], ldos: [2, 5, 10, 20, 35, 50] } as const;

export function emptyCurves(): MomentsCurve[] {
  return [
    { figure: 1, kernel: "dos", points: [] },
    { figure: 2, kernel: "ldos", points: [] },
  ];
}

export async function momentsCurves(
  conductor: Conductor,
  curves: MomentsCurve[],
  set: string,
  repeats: number,
): Promise<void> {
  for (const curve of curves)
    for (const moments of STEPS[curve.kernel as keyof typeof STEPS]) {
      const name = `figure ${curve.figure}: ${curve.kernel} with ${moments} moments on ${set}`;
      await conductor.step(
        name,
        conductor.expected(set, 1, repeats),
        async () => {
          const request = { name: curve.kernel, grid: { exponent: [1] } };
          const { value, cached } = await conductor.evaluate(set, request, { repeats }, { moments });
          const { mean, std, foldStd } = value.accuracy;
          return { value: { set, moments, mean, std: repeats > 1 ? std : foldStd }, cached };
        },
        (point) => curve.points.push(point),
      );
    }
}
