//! One draw: everything is made for it and goes with it.

use crate::device::Vulkan;
use crate::job::{
    Attribute, Compare, Descriptor, Dimension, Filter, Image, Job, Kind, Output, Sampler, Target, Wrap,
};
use ash::vk;

/// An object to destroy after the draw.
enum Made {
    Buffer(vk::Buffer),
    BufferView(vk::BufferView),
    Image(vk::Image),
    ImageView(vk::ImageView),
    Memory(vk::DeviceMemory),
    Sampler(vk::Sampler),
    SetLayout(vk::DescriptorSetLayout),
    DescriptorPool(vk::DescriptorPool),
    Module(vk::ShaderModule),
    PipelineLayout(vk::PipelineLayout),
    Pipeline(vk::Pipeline),
    CommandPool(vk::CommandPool),
    Fence(vk::Fence),
}

/// What is made for a draw.
struct Scene<'v> {
    vulkan: &'v Vulkan,
    made: Vec<Made>,
}

/// A buffer that the host maps.
#[derive(Clone, Copy)]
struct Buffer {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: usize,
}

/// An image to draw to, with the buffer that it is copied to.
struct Drawn {
    image: vk::Image,
    view: vk::ImageView,
    aspect: vk::ImageAspectFlags,
    copy: Buffer,
}

/// An image to read, with its content.
struct Read {
    image: vk::Image,
    aspect: vk::ImageAspectFlags,
    staging: Buffer,
    copies: Vec<vk::BufferImageCopy>,
}

fn failed(e: vk::Result) -> String {
    e.to_string()
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        let device = &self.vulkan.device;
        for made in self.made.drain(..).rev() {
            // SAFETY: the objects are of this device, each is in the list once, later ones go first, and the draw that
            // used them is over: it was waited for, or never begun.
            unsafe {
                match made {
                    Made::Buffer(it) => device.destroy_buffer(it, None),
                    Made::BufferView(it) => device.destroy_buffer_view(it, None),
                    Made::Image(it) => device.destroy_image(it, None),
                    Made::ImageView(it) => device.destroy_image_view(it, None),
                    Made::Memory(it) => device.free_memory(it, None),
                    Made::Sampler(it) => device.destroy_sampler(it, None),
                    Made::SetLayout(it) => device.destroy_descriptor_set_layout(it, None),
                    Made::DescriptorPool(it) => device.destroy_descriptor_pool(it, None),
                    Made::Module(it) => device.destroy_shader_module(it, None),
                    Made::PipelineLayout(it) => device.destroy_pipeline_layout(it, None),
                    Made::Pipeline(it) => device.destroy_pipeline(it, None),
                    Made::CommandPool(it) => device.destroy_command_pool(it, None),
                    Made::Fence(it) => device.destroy_fence(it, None),
                }
            }
        }
    }
}

impl Vulkan {
    /// Runs a job. Its modules must be valid: the driver does not look.
    ///
    /// # Errors
    /// What the job lacks, or the driver refuses.
    pub fn draw(&self, job: &Job) -> Result<Output, String> {
        self.check(job)?;
        Scene { vulkan: self, made: Vec::new() }.draw(job)
    }

    /// Whether everything is as long as it is read, and the device takes as much of it.
    fn check(&self, job: &Job) -> Result<(), String> {
        let limits = &self.limits;
        let most = limits.max_vertex_input_attributes.min(limits.max_vertex_input_bindings) as usize;
        if job.attributes.len() > most {
            return Err(format!("more than {most} attributes"));
        }
        for a in &job.attributes {
            if a.location >= limits.max_vertex_input_attributes {
                return Err(format!("no attribute can be at location {}", a.location));
            }
            if !(1..=4).contains(&a.size) || a.data.bits.len() < job.vertices as usize * usize::from(a.size) {
                return Err(format!("attribute {} has not as many components as are read", a.location));
            }
        }
        if job.targets.len() > limits.max_color_attachments as usize {
            return Err(format!("more than {} targets", limits.max_color_attachments));
        }
        if job.captured_words * 4 > self.feedback_bytes {
            return Err(format!("more than {} bytes of outputs to capture", self.feedback_bytes));
        }
        for (binding, descriptor) in &job.descriptors {
            let fits = match descriptor {
                Descriptor::Uniform(words) => !words.is_empty(),
                Descriptor::Texels { size, data } => matches!(size, 1 | 4) && !data.bits.is_empty(),
                Descriptor::Image(image) => image.fits(),
                Descriptor::Sampler(_) => true,
            };
            if !fits {
                return Err(format!("what is at binding {binding} has not the size that it should have"));
            }
        }
        Ok(())
    }
}

impl Image {
    fn level_size(&self, level: usize) -> [u32; 3] {
        self.size.map(|n| n.checked_shr(level as u32).unwrap_or(0).max(1))
    }

    fn fits(&self) -> bool {
        let lanes = if self.depth { 1 } else { 4 };
        let words = |level: usize| {
            let [w, h, d] = self.level_size(level);
            [h, d, self.layers, lanes].iter().fold(w as usize, |all, n| all.saturating_mul(*n as usize))
        };
        let [w, h, d] = self.size;
        let flat = match self.dimension {
            Dimension::D1 => h == 1 && d == 1 && self.layers == 1,
            Dimension::D1Array => h == 1 && d == 1,
            Dimension::D2 => d == 1 && self.layers == 1,
            Dimension::D2Array => d == 1,
            Dimension::D3 => self.layers == 1,
            Dimension::Cube => w == h && d == 1 && self.layers == 6,
            Dimension::CubeArray => w == h && d == 1 && self.layers.is_multiple_of(6),
        };
        let most = (u32::BITS - (w | h | d).leading_zeros()) as usize;
        flat && ![w, h, d, self.layers].contains(&0)
            && (1..=most).contains(&self.levels.len())
            && self.levels.iter().enumerate().all(|(n, l)| l.len() == words(n))
    }
}

impl Scene<'_> {
    fn draw(mut self, job: &Job) -> Result<Output, String> {
        let (width, height) = (job.size[0].max(1), job.size[1].max(1));
        let extent = vk::Extent3D { width, height, depth: 1 };
        let mut reads = Vec::new();
        let (set, layout) = self.descriptors(job, &mut reads)?;
        let mut targets = Vec::new();
        for target in &job.targets {
            let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT;
            targets.push(match target_kind(*target) {
                Some(kind) => Some(self.drawn(format(kind, 4), usage, extent, 4)?),
                None => None,
            });
        }
        let depth = match job.depth {
            Some(_) => {
                let usage = vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
                Some(self.drawn(vk::Format::D32_SFLOAT, usage, extent, 1)?)
            }
            None => None,
        };
        let pipeline = self.pipeline(job, layout, extent)?;
        let mut attributes = Vec::new();
        for a in &job.attributes {
            attributes.push(self.buffer(&a.data.bits, vk::BufferUsageFlags::VERTEX_BUFFER)?.buffer);
        }
        let words = (job.vertices * job.captured_words) as usize;
        let captured = match words {
            0 => None,
            _ => {
                let usage = vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT;
                Some(self.buffer(&vec![0; words], usage)?)
            }
        };

        let device = &self.vulkan.device;
        let create = vk::CommandPoolCreateInfo::default().queue_family_index(self.vulkan.family);
        // SAFETY: the device lives; so do the structures until the calls are over.
        let (commands, fence) = unsafe {
            let pool = device.create_command_pool(&create, None).map_err(failed)?;
            self.made.push(Made::CommandPool(pool));
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed)?;
            self.made.push(Made::Fence(fence));
            let allocate =
                vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            (device.allocate_command_buffers(&allocate).map_err(failed)?[0], fence)
        };
        let drawn: Vec<&Drawn> = targets.iter().flatten().chain(&depth).collect();
        let clear = vk::ClearValue { color: vk::ClearColorValue { uint32: job.clear } };
        let attachment = |view: vk::ImageView, clear: vk::ClearValue| {
            vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(vk::ImageLayout::GENERAL)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(clear)
        };
        let colors: Vec<_> = targets
            .iter()
            .map(|t| {
                t.as_ref().map_or_else(vk::RenderingAttachmentInfo::default, |t| attachment(t.view, clear))
            })
            .collect();
        let depth_clear = vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: job.depth.map_or(0.0, |d| d.clear),
                stencil: 0,
            },
        };
        let depth_attachment = depth.as_ref().map(|d| attachment(d.view, depth_clear));
        let area = vk::Rect2D { extent: vk::Extent2D { width, height }, ..vk::Rect2D::default() };
        let mut rendering =
            vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&colors);
        if let Some(depth) = &depth_attachment {
            rendering = rendering.depth_attachment(depth);
        }

        // SAFETY: all objects are of this device and live until the fence is waited for; `check` saw to it that the
        // draw reads and writes within them; each phase waits for the one before.
        unsafe {
            device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()).map_err(failed)?;
            let all =
                reads.iter().map(|r| (r.image, r.aspect)).chain(drawn.iter().map(|d| (d.image, d.aspect)));
            let general: Vec<_> = all.map(|(image, aspect)| to_general(image, aspect)).collect();
            self.wait(commands, &general);
            for r in &reads {
                let layout = vk::ImageLayout::GENERAL;
                device.cmd_copy_buffer_to_image(commands, r.staging.buffer, r.image, layout, &r.copies);
            }
            self.wait(commands, &[]);
            device.cmd_begin_rendering(commands, &rendering);
            let graphics = vk::PipelineBindPoint::GRAPHICS;
            device.cmd_bind_pipeline(commands, graphics, pipeline);
            device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, &[set], &[]);
            if !attributes.is_empty() {
                let offsets = vec![0; attributes.len()];
                device.cmd_bind_vertex_buffers(commands, 0, &attributes, &offsets);
            }
            let feedback = &self.vulkan.feedback;
            if let Some(b) = &captured {
                (feedback.cmd_bind_transform_feedback_buffers_ext)(
                    commands,
                    0,
                    1,
                    &b.buffer,
                    &0,
                    &vk::WHOLE_SIZE,
                );
                (feedback.cmd_begin_transform_feedback_ext)(
                    commands,
                    0,
                    0,
                    std::ptr::null(),
                    std::ptr::null(),
                );
            }
            device.cmd_draw(commands, job.vertices, 1, 0, 0);
            if captured.is_some() {
                (feedback.cmd_end_transform_feedback_ext)(commands, 0, 0, std::ptr::null(), std::ptr::null());
            }
            device.cmd_end_rendering(commands);
            self.wait(commands, &[]);
            for d in &drawn {
                let copy = [copy_of(d.aspect, 0, extent, 0, 1)];
                let layout = vk::ImageLayout::GENERAL;
                device.cmd_copy_image_to_buffer(commands, d.image, layout, d.copy.buffer, &copy);
            }
            self.wait(commands, &[]);
            device.end_command_buffer(commands).map_err(failed)?;
            let buffers = [commands];
            let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
            device.queue_submit(self.vulkan.queue, &submit, fence).map_err(failed)?;
            // Whoever started this process limits the time.
            device.wait_for_fences(&[fence], true, u64::MAX).map_err(failed)?;
        }

        let mut output = Output::default();
        for target in &targets {
            output.pixels.push(match target {
                Some(t) => {
                    let words = self.read(&t.copy)?;
                    words.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect()
                }
                None => Vec::new(),
            });
        }
        if let Some(d) = &depth {
            output.depth = self.read(&d.copy)?;
        }
        if let Some(b) = &captured {
            let words = self.read(b)?;
            output.captured = words.chunks_exact(job.captured_words as usize).map(<[u32]>::to_vec).collect();
        }
        Ok(output)
    }

    /// Lets what was recorded come before what will be, and the host see it.
    ///
    /// # Safety
    /// The command buffer must be recording, outside of rendering.
    unsafe fn wait(&self, commands: vk::CommandBuffer, images: &[vk::ImageMemoryBarrier<'_>]) {
        let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let memory = [vk::MemoryBarrier::default()
            .src_access_mask(access)
            .dst_access_mask(access | vk::AccessFlags::HOST_READ)];
        let from = vk::PipelineStageFlags::ALL_COMMANDS;
        let to = from | vk::PipelineStageFlags::HOST;
        // SAFETY: the caller's.
        unsafe {
            self.vulkan.device.cmd_pipeline_barrier(
                commands,
                from,
                to,
                vk::DependencyFlags::empty(),
                &memory,
                &[],
                images,
            );
        }
    }

    /// Memory for what asks for `needs`.
    fn memory(&mut self, needs: vk::MemoryRequirements) -> Result<vk::DeviceMemory, String> {
        let create = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(self.vulkan.memory_type(needs.memory_type_bits)?);
        // SAFETY: the device lives.
        let memory = unsafe { self.vulkan.device.allocate_memory(&create, None) }.map_err(failed)?;
        self.made.push(Made::Memory(memory));
        Ok(memory)
    }

    fn buffer(&mut self, words: &[u32], usage: vk::BufferUsageFlags) -> Result<Buffer, String> {
        let device = &self.vulkan.device;
        let size = words.len().max(1) as u64 * 4;
        let create = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: the device lives.
        let (buffer, needs) = unsafe {
            let buffer = device.create_buffer(&create, None).map_err(failed)?;
            self.made.push(Made::Buffer(buffer));
            (buffer, device.get_buffer_memory_requirements(buffer))
        };
        let memory = self.memory(needs)?;
        let device = &self.vulkan.device;
        // SAFETY: the memory was made for the buffer, is mapped by nothing else, and has room for the words.
        unsafe {
            device.bind_buffer_memory(buffer, memory, 0).map_err(failed)?;
            let at = device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            std::ptr::copy_nonoverlapping(words.as_ptr(), at.map_err(failed)?.cast(), words.len());
            device.unmap_memory(memory);
        }
        Ok(Buffer { buffer, memory, words: words.len() })
    }

    fn read(&self, buffer: &Buffer) -> Result<Vec<u32>, String> {
        let device = &self.vulkan.device;
        let mut words = vec![0; buffer.words];
        // SAFETY: the device has finished with the memory, it has as many words, and nothing else maps it.
        unsafe {
            let at = device.map_memory(buffer.memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            std::ptr::copy_nonoverlapping(at.map_err(failed)?.cast(), words.as_mut_ptr(), words.len());
            device.unmap_memory(buffer.memory);
        }
        Ok(words)
    }

    /// An image in memory of its own, with a view of all of it.
    fn image(
        &mut self,
        create: &vk::ImageCreateInfo<'_>,
        ty: vk::ImageViewType,
        aspect: vk::ImageAspectFlags,
    ) -> Result<(vk::Image, vk::ImageView), String> {
        let device = &self.vulkan.device;
        // SAFETY: the device lives.
        let (image, needs) = unsafe {
            let image = device.create_image(create, None).map_err(failed)?;
            self.made.push(Made::Image(image));
            (image, device.get_image_memory_requirements(image))
        };
        let memory = self.memory(needs)?;
        let view = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(ty)
            .format(create.format)
            .subresource_range(all_of(aspect));
        let device = &self.vulkan.device;
        // SAFETY: the memory was made for the image.
        let view = unsafe {
            device.bind_image_memory(image, memory, 0).map_err(failed)?;
            device.create_image_view(&view, None).map_err(failed)?
        };
        self.made.push(Made::ImageView(view));
        Ok((image, view))
    }

    fn drawn(
        &mut self,
        format: vk::Format,
        usage: vk::ImageUsageFlags,
        extent: vk::Extent3D,
        lanes: usize,
    ) -> Result<Drawn, String> {
        let aspect = aspect(format);
        let create = image_info(vk::ImageType::TYPE_2D, format, extent)
            .usage(usage | vk::ImageUsageFlags::TRANSFER_SRC);
        let (image, view) = self.image(&create, vk::ImageViewType::TYPE_2D, aspect)?;
        let words = vec![0; (extent.width * extent.height) as usize * lanes];
        let copy = self.buffer(&words, vk::BufferUsageFlags::TRANSFER_DST)?;
        Ok(Drawn { image, view, aspect, copy })
    }

    fn sampled(&mut self, image: &Image) -> Result<(Read, vk::ImageView), String> {
        use vk::{ImageType, ImageViewType};
        let (ty, view) = match image.dimension {
            Dimension::D1 => (ImageType::TYPE_1D, ImageViewType::TYPE_1D),
            Dimension::D1Array => (ImageType::TYPE_1D, ImageViewType::TYPE_1D_ARRAY),
            Dimension::D2 => (ImageType::TYPE_2D, ImageViewType::TYPE_2D),
            Dimension::D2Array => (ImageType::TYPE_2D, ImageViewType::TYPE_2D_ARRAY),
            Dimension::D3 => (ImageType::TYPE_3D, ImageViewType::TYPE_3D),
            Dimension::Cube => (ImageType::TYPE_2D, ImageViewType::CUBE),
            Dimension::CubeArray => (ImageType::TYPE_2D, ImageViewType::CUBE_ARRAY),
        };
        let cube = matches!(image.dimension, Dimension::Cube | Dimension::CubeArray);
        let format = if image.depth { vk::Format::D32_SFLOAT } else { format(image.kind, 4) };
        let extent = |[width, height, depth]: [u32; 3]| vk::Extent3D { width, height, depth };
        let create = image_info(ty, format, extent(image.size))
            .flags(if cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() })
            .mip_levels(image.levels.len() as u32)
            .array_layers(image.layers)
            .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST);
        let aspect = aspect(format);
        let (made, view) = self.image(&create, view, aspect)?;
        let staging = self.buffer(&image.levels.concat(), vk::BufferUsageFlags::TRANSFER_SRC)?;
        let mut offset = 0;
        let copies = (0u32..).zip(&image.levels).map(|(n, level)| {
            let copy = copy_of(aspect, n, extent(image.level_size(n as usize)), offset, image.layers);
            offset += level.len() as u64 * 4;
            copy
        });
        let copies = copies.collect();
        Ok((Read { image: made, aspect, staging, copies }, view))
    }

    fn sampler(&mut self, sampler: &Sampler) -> Result<vk::Sampler, String> {
        let filter = |f: Filter| match f {
            Filter::Nearest => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        };
        let [u, v, w] = sampler.wrap.map(|wrap| match wrap {
            Wrap::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
            Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        });
        let (mode, lod) = match sampler.mip {
            None => (vk::SamplerMipmapMode::NEAREST, [0.0; 2]),
            Some(Filter::Nearest) => (vk::SamplerMipmapMode::NEAREST, sampler.lod),
            Some(Filter::Linear) => (vk::SamplerMipmapMode::LINEAR, sampler.lod),
        };
        let create = vk::SamplerCreateInfo::default()
            .mag_filter(filter(sampler.mag))
            .min_filter(filter(sampler.min))
            .mipmap_mode(mode)
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .compare_enable(sampler.compare.is_some())
            .compare_op(sampler.compare.map_or(vk::CompareOp::NEVER, compare_of))
            .min_lod(lod[0])
            .max_lod(lod[1]);
        // SAFETY: the device lives.
        let sampler = unsafe { self.vulkan.device.create_sampler(&create, None) }.map_err(failed)?;
        self.made.push(Made::Sampler(sampler));
        Ok(sampler)
    }

    /// The set of all descriptors, and the layout that has it alone.
    fn descriptors(
        &mut self,
        job: &Job,
        reads: &mut Vec<Read>,
    ) -> Result<(vk::DescriptorSet, vk::PipelineLayout), String> {
        let ty = |d: &Descriptor| match d {
            Descriptor::Uniform(_) => vk::DescriptorType::UNIFORM_BUFFER,
            Descriptor::Texels { .. } => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
            Descriptor::Image(_) => vk::DescriptorType::SAMPLED_IMAGE,
            Descriptor::Sampler(_) => vk::DescriptorType::SAMPLER,
        };
        let bindings: Vec<_> = job
            .descriptors
            .iter()
            .map(|(binding, d)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(*binding)
                    .descriptor_type(ty(d))
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::ALL_GRAPHICS)
            })
            .collect();
        let mut sizes: Vec<_> = job
            .descriptors
            .iter()
            .map(|(_, d)| vk::DescriptorPoolSize { ty: ty(d), descriptor_count: 1 })
            .collect();
        // A pool of nothing is none.
        sizes.push(vk::DescriptorPoolSize { ty: vk::DescriptorType::SAMPLER, descriptor_count: 1 });
        let layout = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let pool = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let device = &self.vulkan.device;
        // SAFETY: the device lives, and so do the structures until the calls are over.
        let (set, pipeline_layout) = unsafe {
            let layout = device.create_descriptor_set_layout(&layout, None).map_err(failed)?;
            self.made.push(Made::SetLayout(layout));
            let pool = device.create_descriptor_pool(&pool, None).map_err(failed)?;
            self.made.push(Made::DescriptorPool(pool));
            let layouts = [layout];
            let allocate =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = device.allocate_descriptor_sets(&allocate).map_err(failed)?[0];
            let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let pipeline_layout = device.create_pipeline_layout(&create, None).map_err(failed)?;
            self.made.push(Made::PipelineLayout(pipeline_layout));
            (set, pipeline_layout)
        };
        for (binding, d) in &job.descriptors {
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(*binding)
                .descriptor_count(1)
                .descriptor_type(ty(d));
            match d {
                Descriptor::Uniform(words) => {
                    let buffer = self.buffer(words, vk::BufferUsageFlags::UNIFORM_BUFFER)?.buffer;
                    let info = [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
                    self.write(write.buffer_info(&info));
                }
                Descriptor::Texels { size, data } => {
                    let usage = vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER;
                    let create = vk::BufferViewCreateInfo::default()
                        .buffer(self.buffer(&data.bits, usage)?.buffer)
                        .format(format(data.kind, *size))
                        .range(vk::WHOLE_SIZE);
                    // SAFETY: the buffer lives and is for texels.
                    let view = unsafe { self.vulkan.device.create_buffer_view(&create, None) };
                    let view = [view.map_err(failed)?];
                    self.made.push(Made::BufferView(view[0]));
                    self.write(write.texel_buffer_view(&view));
                }
                Descriptor::Image(image) => {
                    let (read, view) = self.sampled(image)?;
                    reads.push(read);
                    let info = [vk::DescriptorImageInfo::default()
                        .image_view(view)
                        .image_layout(vk::ImageLayout::GENERAL)];
                    self.write(write.image_info(&info));
                }
                Descriptor::Sampler(sampler) => {
                    let info = [vk::DescriptorImageInfo::default().sampler(self.sampler(sampler)?)];
                    self.write(write.image_info(&info));
                }
            }
        }
        Ok((set, pipeline_layout))
    }

    fn write(&self, write: vk::WriteDescriptorSet<'_>) {
        // SAFETY: no draw uses the set yet, and what it is given lives as long as it.
        unsafe { self.vulkan.device.update_descriptor_sets(&[write], &[]) };
    }

    fn module(&mut self, words: &[u32]) -> Result<vk::ShaderModule, String> {
        let create = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the device lives; that the module is valid is the caller's.
        let module = unsafe { self.vulkan.device.create_shader_module(&create, None) }.map_err(failed)?;
        self.made.push(Made::Module(module));
        Ok(module)
    }

    fn pipeline(
        &mut self,
        job: &Job,
        layout: vk::PipelineLayout,
        extent: vk::Extent3D,
    ) -> Result<vk::Pipeline, String> {
        let stage = |stage, module| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        };
        let mut stages = vec![stage(vk::ShaderStageFlags::VERTEX, self.module(&job.vertex)?)];
        if let Some(words) = &job.fragment {
            stages.push(stage(vk::ShaderStageFlags::FRAGMENT, self.module(words)?));
        }
        let (bindings, attributes): (Vec<_>, Vec<_>) =
            (0u32..).zip(&job.attributes).map(vertex_input).unzip();
        let inputs = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        let points =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::POINT_LIST);
        let viewports = [vk::Viewport {
            width: extent.width as f32,
            height: extent.height as f32,
            max_depth: 1.0,
            ..vk::Viewport::default()
        }];
        let scissors = [vk::Rect2D {
            extent: vk::Extent2D { width: extent.width, height: extent.height },
            ..vk::Rect2D::default()
        }];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .rasterizer_discard_enable(job.fragment.is_none())
            .line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(job.depth.is_some())
            .depth_write_enable(job.depth.is_some())
            .depth_compare_op(job.depth.map_or(vk::CompareOp::ALWAYS, |d| compare_of(d.test)));
        let writes =
            vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
        let writes = vec![writes; job.targets.len()];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&writes);
        let formats: Vec<_> = job
            .targets
            .iter()
            .map(|t| target_kind(*t).map_or(vk::Format::UNDEFINED, |kind| format(kind, 4)))
            .collect();
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        if job.depth.is_some() {
            rendering = rendering.depth_attachment_format(vk::Format::D32_SFLOAT);
        }
        let create = [vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&inputs)
            .input_assembly_state(&points)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(layout)
            .push_next(&mut rendering)];
        let device = &self.vulkan.device;
        // SAFETY: the device lives, and so do the structures until the call is over.
        let made = unsafe { device.create_graphics_pipelines(vk::PipelineCache::null(), &create, None) };
        let pipeline = match made {
            Ok(list) => list[0],
            Err((_, e)) => return Err(failed(e)),
        };
        self.made.push(Made::Pipeline(pipeline));
        Ok(pipeline)
    }
}

/// Each attribute is in a buffer of its own.
fn vertex_input(
    (n, a): (u32, &Attribute),
) -> (vk::VertexInputBindingDescription, vk::VertexInputAttributeDescription) {
    let rate = vk::VertexInputRate::VERTEX;
    (
        vk::VertexInputBindingDescription { binding: n, stride: u32::from(a.size) * 4, input_rate: rate },
        vk::VertexInputAttributeDescription {
            location: a.location,
            binding: n,
            format: format(a.data.kind, a.size),
            offset: 0,
        },
    )
}

fn format(kind: Kind, lanes: u8) -> vk::Format {
    use vk::Format as F;
    let [float, int, uint] = match lanes {
        1 => [F::R32_SFLOAT, F::R32_SINT, F::R32_UINT],
        2 => [F::R32G32_SFLOAT, F::R32G32_SINT, F::R32G32_UINT],
        3 => [F::R32G32B32_SFLOAT, F::R32G32B32_SINT, F::R32G32B32_UINT],
        _ => [F::R32G32B32A32_SFLOAT, F::R32G32B32A32_SINT, F::R32G32B32A32_UINT],
    };
    match kind {
        Kind::Float => float,
        Kind::Int => int,
        Kind::Uint => uint,
    }
}

fn target_kind(target: Target) -> Option<Kind> {
    match target {
        Target::Rgba32f => Some(Kind::Float),
        Target::Rgba32i => Some(Kind::Int),
        Target::Rgba32ui => Some(Kind::Uint),
        Target::Unused => None,
    }
}

fn compare_of(compare: Compare) -> vk::CompareOp {
    match compare {
        Compare::Never => vk::CompareOp::NEVER,
        Compare::Less => vk::CompareOp::LESS,
        Compare::Equal => vk::CompareOp::EQUAL,
        Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Compare::Greater => vk::CompareOp::GREATER,
        Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
        Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Compare::Always => vk::CompareOp::ALWAYS,
    }
}

fn aspect(format: vk::Format) -> vk::ImageAspectFlags {
    if format == vk::Format::D32_SFLOAT { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR }
}

fn all_of(aspect: vk::ImageAspectFlags) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect,
        base_mip_level: 0,
        level_count: vk::REMAINING_MIP_LEVELS,
        base_array_layer: 0,
        layer_count: vk::REMAINING_ARRAY_LAYERS,
    }
}

fn image_info(ty: vk::ImageType, format: vk::Format, extent: vk::Extent3D) -> vk::ImageCreateInfo<'static> {
    vk::ImageCreateInfo::default()
        .image_type(ty)
        .format(format)
        .extent(extent)
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
}

fn to_general(image: vk::Image, aspect: vk::ImageAspectFlags) -> vk::ImageMemoryBarrier<'static> {
    vk::ImageMemoryBarrier::default()
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
        .old_layout(vk::ImageLayout::UNDEFINED)
        .new_layout(vk::ImageLayout::GENERAL)
        .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .image(image)
        .subresource_range(all_of(aspect))
}

fn copy_of(
    aspect: vk::ImageAspectFlags,
    level: u32,
    extent: vk::Extent3D,
    offset: u64,
    layers: u32,
) -> vk::BufferImageCopy {
    vk::BufferImageCopy {
        buffer_offset: offset,
        image_subresource: vk::ImageSubresourceLayers {
            aspect_mask: aspect,
            mip_level: level,
            base_array_layer: 0,
            layer_count: layers,
        },
        image_extent: extent,
        ..vk::BufferImageCopy::default()
    }
}
