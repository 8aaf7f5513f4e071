/**
 * Nodes as discs with a ring around them, for sigma: its disc program with a second colour. A ring of no colour leaves a disc with a thin
 * edge of the ground.
 */
import { NodeCircleProgram } from "sigma/rendering";
import type { NodeDisplayData } from "sigma/types";
import { floatColor } from "sigma/utils";

export interface RingedNode extends NodeDisplayData {
  ring?: string;
}

const VERTEX = `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec4 a_ring;
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
varying vec4 v_color;
varying vec4 v_ring;
varying vec2 v_diffVector;
varying float v_radius;
const float bias = 255.0 / 254.0;

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  gl_Position = vec4((u_matrix * vec3(a_position + diffVector, 1)).xy, 0, 1);
  v_diffVector = diffVector;
  v_radius = size / 2.0;
  #ifdef PICKING_MODE
  v_color = a_id;
  v_ring = a_id;
  #else
  v_color = a_color;
  v_ring = a_ring;
  #endif
  v_color.a *= bias;
  v_ring.a *= bias;
}`;

const FRAGMENT = `
precision highp float;
varying vec4 v_color;
varying vec4 v_ring;
varying vec2 v_diffVector;
varying float v_radius;
uniform float u_correctionRatio;
const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float border = u_correctionRatio * 2.0;
  float dist = length(v_diffVector);
  #ifdef PICKING_MODE
  gl_FragColor = dist > v_radius ? transparent : v_color;
  #else
  float ring = v_radius * 0.68;
  vec4 inner = mix(v_color, v_ring, smoothstep(ring - border / 2.0, ring + border / 2.0, dist));
  gl_FragColor = mix(inner, transparent, smoothstep(v_radius - border, v_radius, dist));
  #endif
}`;

export class RingProgram extends NodeCircleProgram {
  override getDefinition() {
    const plain = super.getDefinition();
    const [position, size, colour, id] = plain.ATTRIBUTES;
    return {
      ...plain,
      VERTEX_SHADER_SOURCE: VERTEX,
      FRAGMENT_SHADER_SOURCE: FRAGMENT,
      ATTRIBUTES: [position, size, colour, { ...colour, name: "a_ring" }, id],
    };
  }

  override processVisibleItem(nodeIndex: number, startIndex: number, data: RingedNode): void {
    const { array } = this;
    array[startIndex] = data.x;
    array[startIndex + 1] = data.y;
    array[startIndex + 2] = data.size;
    array[startIndex + 3] = floatColor(data.color);
    array[startIndex + 4] = floatColor(data.ring ?? data.color);
    array[startIndex + 5] = nodeIndex;
  }
}
