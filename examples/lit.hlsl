// A lit, textured mesh with fog and alpha test: the input of the walk-through in the documentation.
cbuffer PerFrame : register(b0) {
    float4x4 View;
    float4x4 Projection;
    float3 LightDirection; // towards the light, world space
    float FogStart;
    float3 LightColor;
    float FogEnd;
    float3 FogColor;
    float AlphaCutoff;
    float4 Ambient;
    float3 EyePosition;
    float SpecularPower;
};

cbuffer PerObject : register(b1) {
    float4x4 World;
    float4 Tint;
};

Texture2D Albedo : register(t0);
SamplerState AlbedoSampler : register(s0);

struct VSInput {
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
};

struct Varyings {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    float fog : FOG;
    float3 worldPosition : TEXCOORD1;
    float2 uv : TEXCOORD0;
};

Varyings VSMain(VSInput input) {
    Varyings output;
    float4 world = mul(float4(input.position, 1.0), World);
    float4 view = mul(world, View);
    output.position = mul(view, Projection);
    output.normal = mul(input.normal, (float3x3) World);
    output.worldPosition = world.xyz;
    output.uv = input.uv;
    output.fog = saturate((FogEnd - length(view.xyz)) / (FogEnd - FogStart));
    return output;
}

float4 PSMain(Varyings input) : SV_Target {
    float4 albedo = Albedo.Sample(AlbedoSampler, input.uv) * Tint;
    if (albedo.a < AlphaCutoff) discard;
    float3 n = normalize(input.normal);
    float3 v = normalize(EyePosition - input.worldPosition);
    float3 h = normalize(v + LightDirection);
    float diffuse = saturate(dot(n, LightDirection));
    float specular = diffuse > 0.0 ? pow(saturate(dot(n, h)), SpecularPower) : 0.0;
    float3 color = albedo.rgb * (Ambient.rgb + LightColor * diffuse) + LightColor * specular;
    return float4(lerp(FogColor, color, input.fog), albedo.a);
}
