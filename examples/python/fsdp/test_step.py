import hlolint
import train

test_step = hlolint.compiled(topology=["v6e:4x4", "7x:2x2x2"], select="COL017")(train.step)
